export { checkClaim, type ClaimCheck, type ClaimContext } from './check-claim.js';
export { claimLanguage, type ClaimLanguage } from './claim-language.js';
export { isUnspliced, segmentsOf, type CitedSpan } from './segments.js';
export { isSameMeasure, measuresIn, type Measure } from './measures.js';
export { ownTime, timesIn, type StatedTime } from './times.js';
export { isEmptyResult } from './wording.js';
export { problemIn } from './conditions.js';
export { contentWords, namesIn, namesIt } from './names.js';
