export { replaceValues } from './found-value.js';
export { maskJson, maskSecrets, type MaskedValue } from './mask.js';
export { findPersonalData } from './personal-data.js';
export { Pseudonyms, PSEUDONYM_NOTE } from './pseudonyms.js';
export { MASK } from './ranges.js';
export { checkPattern, compilePattern, MOST_PATTERN_SIZE } from './user-patterns.js';
