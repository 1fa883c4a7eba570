export { maskJson, maskSecrets, type Masked } from './mask.js';
export { MASK } from './ranges.js';
