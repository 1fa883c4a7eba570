export * from './fake-ports.js';
export * from './make-pdf.js';
export * from './raw-pdf.js';
export * from './subjects.js';
export { hostileFiles, type HostileFile } from './hostile-files.js';
