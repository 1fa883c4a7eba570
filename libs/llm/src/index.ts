export * from './create-language-model.js';
export * from './embedders/create-embedder.js';
export { CALL_HEADER } from './make-adapter.js';
export * from './estimate-input-tokens.js';
export * from './pricing.js';
export * from './provider.js';
export * from './provider-entry.js';
export * from './provider-table.js';
export * from './reasoning.js';
