import { t } from '../strings/text.js';
import { ENTRIES } from '../places.js';

/** Keys that pages bind. `useKeys` binds only these keys and those of `ENTRIES`. */
export const PAGE_KEYS = [
  'j',
  'k',
  'a',
  'e',
  '1',
  '2',
  '3',
  '4',
  '5',
  '6',
  '7',
  '8',
  '9',
  'o',
  's',
  'c',
  'm',
  'z',
  'u',
  'x',
  'b',
  '/',
  '?',
] as const;

/** A key, or two keys in a row, that can be bound. */
export type BoundKey = (typeof PAGE_KEYS)[number] | (typeof ENTRIES)[number]['keys'];

type Described = readonly (readonly [keys: string, does: string])[];

interface KeyGroup {
  name: string;
  keys: Described;
}

const INBOX: Described = [
  ['j', t('shell.nextOne')],
  ['k', t('shell.previousOne')],
  ['1', t('shell.chooseTheFirstAnswer2')],
  ['ctrl enter', t('shell.saveTheAnswerAndContinue')],
  ['a', t('shell.agreeWithTheVerdictRedrive')],
  ['o', t('shell.answerInFull')],
  ['e', t('shell.acknowledgeTheVerdict')],
  ['s', t('shell.skip')],
  ['c', t('shell.comment')],
  ['m', t('shell.assign')],
  ['z', t('shell.snooze')],
  ['u', t('shell.undo')],
  ['x', t('shell.selectTheVerdict')],
  ['b', t('shell.answerTheSelectedVerdicts')],
];
const LIST: Described = [['/', t('shell.searchTheList')]];
/** Keys of pages, by the beginning of their addresses. The first match counts. */
const KEYS_OF_PAGES: readonly (readonly [prefix: string, keys: Described])[] = [
  ['/inbox', INBOX],
  ['/cases/', [['a', t('shell.agreeWithTheVerdict')]]],
  ['/cases', LIST],
  [
    '/policies/',
    [
      ['j', t('shell.nextSection')],
      ['k', t('shell.previousSection')],
    ],
  ],
];
const EVERYWHERE: Described = [
  ['j', t('shell.nextRow')],
  ['k', t('shell.previousRow')],
  ['enter', t('shell.openTheRow')],
  ['ctrl k', t('shell.searchPagesCasesSettingsAnd')],
  ...ENTRIES.map(({ keys, name }) => [keys, name] as const),
  ['?', t('shell.thisList')],
  ['esc', t('shell.leaveTheFieldOrClose')],
];

/** Returns the keys that work at a location, those of the page first. */
export function keysOf(location: string): KeyGroup[] {
  const own = KEYS_OF_PAGES.find(([prefix]) => location.startsWith(prefix))?.[1];
  // A key that a page uses in its own way is listed once.
  const others = EVERYWHERE.filter(([key]) => own?.every(([one]) => one !== key) ?? true);
  const everywhere = { name: t('shell.onEveryPage'), keys: others };
  return own === undefined ? [everywhere] : [{ name: t('shell.here'), keys: own }, everywhere];
}
