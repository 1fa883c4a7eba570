export * from './evaluation.js';
export * from './logger.js';
export * from './meter.js';
export * from './metric-info.js';
export * from './metric-series.js';
export * from './names.js';
export * from './sdk.js';
