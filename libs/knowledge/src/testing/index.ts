export * from './fake-ports.js';
export * from './make-pdf.js';
export * from './raw-pdf.js';
export * from './subjects.js';
