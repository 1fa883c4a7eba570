// What the console computes in the browser, without a schema library.
export { FieldError, fieldKey, formExample, formPayload, type FieldTexts } from './form-payload.js';
export { nameInWords, valueText, type DisplayedCase } from './read-path.js';
export {
  JUDGED_PARTS,
  shownParts,
  shownSections,
  type JudgedPart,
  type ShownSection,
} from './shown-sections.js';
