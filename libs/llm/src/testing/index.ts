export * from './embedder.conformance.js';
export * from './fake-provider.js';
export * from './provider-behaviour.js';
export * from './provider.conformance.js';
