export * from './browser.js';
export * from './case-title.js';
export * from './check-display.js';
export * from './display-schema.js';
export * from './payload-schema.js';
export { valueAt } from './read-path.js';
