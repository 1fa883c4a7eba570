export * from './logger.js';
export * from './meter.js';
export * from './names.js';
export * from './sdk.js';
