export * from './caller.js';
export * from './marks.js';
export { planOf, project, refusedFields, refusedMark } from './project.js';
export * from './sessions.js';
