// What the console computes in the browser, without a schema library.
export { FieldError, fieldKey, formExample, formPayload, type FieldTexts } from './form-payload.js';
export { nameInWords, valueText, type DisplayedCase } from './read-path.js';
export { JUDGED_PARTS, type JudgedPart } from './judged-parts.js';
export { shownParts, shownSections, type ShownSection } from './shown-sections.js';
