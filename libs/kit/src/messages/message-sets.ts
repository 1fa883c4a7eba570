import { fileURLToPath } from 'node:url';
import { InvalidInput } from '@casefile/contracts';
import type { NamedSet } from '../evaluation/dataset.js';
import { FORMATS, type Format } from './read-dataset.js';

/** Class of the labels. The answers `engage` and `probe` are in this class. */
export const SCAM = 'scam';
export const HARMLESS = 'harmless';

const setNamed = (name: string, about: string): NamedSet => ({
  name,
  about,
  path: fileURLToPath(new URL(`../../../../samples/eval/${name}.jsonl`, import.meta.url)),
});
/** Labelled messages of the repository, for every kind that judges messages. */
export const MESSAGE_SETS: readonly [NamedSet, ...NamedSet[]] = [
  setNamed('seen', 'messages that rules and weights were developed on'),
  setNamed('unseen', 'unseen messages: only totals are shown'),
  setNamed('messages', 'hard messages, written to differ from known patterns'),
  setNamed('development', 'messages that are hardest for rules'),
  setNamed('this-year', 'stories of 2025 and 2026'),
  setNamed('mails-seen', 'raw mails, written before the rules for mails'),
  setNamed('mails-unseen', 'raw mails, written afterwards: only totals are shown'),
];

/** Format of the data sets of messages, in a few words. */
export const MESSAGE_FORMAT =
  'JSONL, SMS lines (ham|spam, a tab, the text), or the SpamAssassin package folder';

/** Option of `casefile eval` that names the format. */
export const FORMAT_OPTION = {
  name: 'format',
  flags: '--format <name>',
  description: 'format of a message data set (jsonl, sms, spam-assassin). Default: by the file name',
};

/** Returns the format of an option; null: by the file name. @throws InvalidInput for an unknown format. */
export function formatNamed(name: string | number | boolean | undefined): Format | null {
  const format = FORMATS.find((one) => one === name);
  if (name === undefined || format !== undefined) return format ?? null;
  throw new InvalidInput(
    [{ path: '--format', message: `expected one of ${FORMATS.join(', ')}` }],
    'command line',
  );
}
