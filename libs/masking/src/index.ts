export { maskJson, maskSecrets, type MaskedValue } from './mask.js';
export { MASK } from './ranges.js';
