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
  ['j', 'next one'],
  ['k', 'previous one'],
  ['1', 'choose the first answer; 2 to 9 the others'],
  ['ctrl enter', 'save the answer and continue'],
  ['a', 'agree with the verdict, redrive the dead letter, approve the pattern'],
  ['o', 'answer in full'],
  ['e', 'acknowledge the verdict'],
  ['s', 'skip'],
  ['c', 'comment'],
  ['m', 'assign'],
  ['z', 'snooze'],
  ['u', 'undo'],
  ['x', 'select the verdict'],
  ['b', 'answer the selected verdicts'],
];
const LIST: Described = [
  ['j', 'next row'],
  ['k', 'previous row'],
  ['enter', 'open the row'],
  ['/', 'search the list'],
];
/** Keys of pages, by the beginning of their addresses. The first match counts. */
const KEYS_OF_PAGES: readonly (readonly [prefix: string, keys: Described])[] = [
  ['/inbox', INBOX],
  ['/cases/', [['a', 'agree with the verdict']]],
  ['/cases', LIST],
  [
    '/policies/',
    [
      ['j', 'next section'],
      ['k', 'previous section'],
    ],
  ],
];
const EVERYWHERE: Described = [
  ['ctrl k', 'search pages, cases, settings and acts'],
  ...ENTRIES.map(({ keys, name }) => [keys, name] as const),
  ['?', 'this list'],
  ['esc', 'leave the field or close the dialog'],
];

/** Returns the keys that work at a location, those of the page first. */
export function keysOf(location: string): KeyGroup[] {
  const own = KEYS_OF_PAGES.find(([prefix]) => location.startsWith(prefix))?.[1];
  const everywhere = { name: 'On every page', keys: EVERYWHERE };
  return own === undefined ? [everywhere] : [{ name: 'Here', keys: own }, everywhere];
}
