import { PLACES } from '../places.js';

/** Keys that pages bind, with their actions. `useKeys` binds only these keys and those of `PLACES`. */
export const PAGE_KEYS = {
  j: 'next row or section',
  k: 'previous row or section; in Review: acknowledge',
  a: 'agree with the verdict of the case',
  '1': 'in Review: choose the first outcome; 2 to 9 the others',
  '2': null,
  '3': null,
  '4': null,
  '5': null,
  '6': null,
  '7': null,
  '8': null,
  '9': null,
  o: 'in Review: answer in full',
  s: 'in Review: skip',
  c: 'in Review: comment',
  m: 'in Review: assign',
  z: 'in Review: snooze',
  u: 'in Review: undo',
  x: 'in Review: select the verdict',
  b: 'in Review: answer the selected verdicts',
  n: 'in Review: next verdict',
  p: 'in Review: previous verdict',
  '/': 'search',
  '?': 'list of the keys',
} as const;

/** Keys that the browser itself handles. */
const BROWSER_KEYS = {
  enter: 'open the row',
  space: 'select the dead letter',
  esc: 'leave the field or close the dialog',
  'ctrl enter': 'in Review: save and continue',
} as const;

/** A key, or two keys in a row, that can be bound. */
export type BoundKey = keyof typeof PAGE_KEYS | (typeof PLACES)[number]['keys'];

/** Every key with its action, for the list of keys. */
export const ALL_KEYS: readonly (readonly [keys: string, does: string])[] = [
  ...PLACES.map(({ keys, name }) => [keys, name] as const),
  ...Object.entries(PAGE_KEYS).flatMap(([keys, does]) => (does === null ? [] : [[keys, does] as const])),
  ...Object.entries(BROWSER_KEYS),
];
