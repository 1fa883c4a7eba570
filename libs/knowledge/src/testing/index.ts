export * from './fake-ports.js';
export * from './make-pdf.js';
