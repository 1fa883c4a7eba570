export * from './caller.js';
export * from './field-class.js';
export { projectionOf, project, refusedFields, refusedClass } from './project.js';
export * from './sessions.js';
