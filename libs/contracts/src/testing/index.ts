export * from './builders.js';
export * from './planted-secrets.js';
