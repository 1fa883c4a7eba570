export { replaceValues, MASK } from './pieces.js';
export { maskJson, maskSecrets, type MaskedValue } from './mask.js';
export { findPersonalData, checkPattern, compilePattern, MOST_PATTERN_SIZE } from './personal-data.js';
export { Pseudonyms, PSEUDONYM_NOTE } from './pseudonyms.js';
