export * from './policy-check.js';
