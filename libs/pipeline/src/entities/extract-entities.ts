import type { CountryCode } from 'libphonenumber-js/max';
import { plainText } from '../plain-text.js';
import type { Extraction } from '../playbook.js';
import { findCryptoAddresses } from './crypto-addresses.js';
import { withoutHidden } from './hidden-characters.js';
import { instructionNotes } from './instruction-spans.js';
import { findLinks } from './links.js';
import { findPaymentHandles } from './payment-handles.js';
import { findPhoneNumbers } from './phone-numbers.js';
import { undoObfuscation } from './undo-obfuscation.js';

/** Characters of a text that are searched; far more than any message has. */
const SEARCHED = 200_000;
/** Values kept of each type: the most that a brief may hold. */
const MAX_VALUES = 200;
const MAX_NOTES = 30;
/** Longest note, in characters. */
const NOTE_LENGTH = 400;

export interface ExtractionOptions {
  /** Where a phone number without a country code may be from, most likely first. */
  regions: readonly CountryCode[];
}

const DEFAULTS: ExtractionOptions = { regions: ['IN', 'US', 'GB'] };

/**
 * Everything in a text that can be looked up, by type, in order of appearance and without repeats; obfuscations in
 * common use are undone first. Never throws. S1-02.
 */
export function extractEntities(text: string, { regions }: ExtractionOptions = DEFAULTS): Extraction {
  const seen = withoutHidden(plainText(text.slice(0, SEARCHED)));
  const plain = undoObfuscation(seen.text);
  const links = findLinks(plain.text);
  const phones = findPhoneNumbers(links.rest, regions);
  const found = {
    phone: phones.values,
    email: links.emails,
    url: links.urls,
    domain: links.domains,
    crypto: findCryptoAddresses(plain.text),
    payment: findPaymentHandles(plain.text),
  };
  const distinct = Object.entries(found).map(([type, values]) => [type, [...new Set(values)]] as const);
  const notes = [
    ...(text.length > SEARCHED
      ? [`Only the first ${SEARCHED} of ${text.length} characters were searched.`]
      : []),
    ...seen.notes,
    ...plain.notes,
    ...links.notes,
    ...phones.notes,
    ...instructionNotes(`${plain.text}\n${seen.hidden}`),
    ...distinct
      .filter(([, values]) => values.length > MAX_VALUES)
      .map(([type]) => `More than ${MAX_VALUES} values of type ${type}: the rest was left out.`),
  ];
  return {
    entities: Object.fromEntries(
      distinct
        .filter(([, values]) => values.length > 0)
        .map(([type, values]) => [type, values.slice(0, MAX_VALUES)]),
    ),
    notes: [...new Set(notes.map((note) => plainText(note.slice(0, NOTE_LENGTH))))].slice(0, MAX_NOTES),
  };
}
