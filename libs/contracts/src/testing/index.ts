export * from './builders.js';
export * from './golden-file.js';
export * from './in-process-runner.js';
export * from './planted-secrets.js';
export * from './step-back-trials.js';
export * from './temporary-folder.js';
export * from './supporting-examiner.js';
export * from './until.js';
