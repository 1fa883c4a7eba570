import { createHash } from 'node:crypto';
import type { Masking } from '@casefile/contracts';
import { replaceValues, type FoundValue, inTurns } from './pieces.js';
import { findPersonalData } from './personal-data.js';
import { learnPhones } from './personal-numbers.js';

/** Only consonants, so that a pseudonym contains no figure and no word. */
const ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ';
const LETTERS = 6;
const LETTERS_OF_SPELLING = 2;

/** A pseudonym as a model writes it, possibly without brackets or in lower case. */
const WRITTEN = /\[?[A-Za-z][A-Za-z0-9-]{6,60}\]?/g;

/**
 * Pseudonyms of the personal data in one request to a model: `[EMAIL-KQWZTF]`. The letters follow from the case
 * and the value, so that a value has the same pseudonym in every stage, process and replay of a case without a
 * table, and another one in another case. Another spelling of the value has an ending: `[PHONE-KQWZTF-BD]`.
 */
export class Pseudonyms {
  private readonly values = new Map<string, string>();
  private readonly endings = new Set<string>();

  /** @param caseId random, so that pseudonyms of two cases cannot be compared. */
  constructor(
    private readonly caseId: string,
    private readonly masking: Masking,
  ) {}

  /** Learns the phone numbers of a text, so that `mask` finds their spellings without a country code. */
  async learn(text: string): Promise<void> {
    if (this.masking.personalData.includes('phone')) await inTurns(learnPhones(text, this.endings));
  }

  /** Returns a text with pseudonyms in place of personal data. Takes time in proportion to its length. */
  async mask(text: string): Promise<string> {
    const found = await findPersonalData(text, this.masking, this.endings);
    return replaceValues(text, found, (one) => this.pseudonym(one, text.slice(one.from, one.to)));
  }

  /** Returns a text with the values in place of the pseudonyms that `mask` has written. Others stay. */
  unmask(text: string): string {
    if (this.values.size === 0) return text;
    return text.replaceAll(WRITTEN, (written) => {
      const value = this.values.get(written.replaceAll(/[[\]]/g, '').toUpperCase());
      return value ?? written;
    });
  }

  private pseudonym({ label, plain }: FoundValue, value: string): string {
    // A line end would break the JSON that a model writes the value in.
    const flat = value.replaceAll(/(?:\r?\n|\\r|\\n)+/g, ' ');
    const isPlain = value === plain || (label === 'PHONE' && /^\+\d+$/.test(value));
    const spelling = isPlain ? '' : `-${this.letters(`${label}\0${value}`, LETTERS_OF_SPELLING)}`;
    const name = `${label}-${this.letters(`${label}\0${plain}`, LETTERS)}${spelling}`;
    const held = this.values.get(name) ?? flat;
    // Two values with the same letters: about one case in a million that has ten values of a class.
    const own = held === flat ? name : `${label}-${this.letters(`${label}\0${value}`, 2 * LETTERS)}`;
    this.values.set(own, flat);
    return `[${own}]`;
  }

  private letters(words: string, count: number): string {
    const digest = createHash('sha256').update(`${this.caseId}\0${words}`).digest();
    let rest = digest.readBigUInt64BE(0);
    let letters = '';
    for (let i = 0; i < count; i += 1) {
      letters += ALPHABET[Number(rest % 20n)];
      rest /= 20n;
    }
    return letters;
  }
}

/** Explains pseudonyms to a model. Ends the system message of every masked request. */
export const PSEUDONYM_NOTE = [
  'Personal data is replaced by placeholders such as [EMAIL-KQWZTF]. A placeholder always stands for the same value.',
  'A further ending, as in [PHONE-KQWZTF-BD], marks another spelling of the same value.',
  'Write placeholders exactly as they stand, also in quotes and in arguments of tools: both get the real value.',
  'A placeholder is no sign of deceit. Look-ups and checks were made with the real values.',
].join(' ');
