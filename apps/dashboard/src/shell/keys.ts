import { PLACES } from '../places.js';

/** Keys that pages bind, with their actions. `useKeys` binds only these keys and those of `PLACES`. */
export const PAGE_KEYS = {
  j: 'next row or section',
  k: 'previous row or section',
  a: 'agree with the verdict of the case',
  '/': 'search',
  '?': 'list of the keys',
} as const;

/** Keys that the browser itself handles. */
const BROWSER_KEYS = {
  enter: 'open the row',
  space: 'select the dead letter',
  esc: 'leave the field or close the dialog',
} as const;

/** A key, or two keys in a row, that can be bound. */
export type BoundKey = keyof typeof PAGE_KEYS | (typeof PLACES)[number]['keys'];

/** Every key with its action, for the list of keys. */
export const ALL_KEYS: readonly (readonly [keys: string, does: string])[] = [
  ...PLACES.map(({ keys, name }) => [keys, name] as const),
  ...Object.entries(PAGE_KEYS),
  ...Object.entries(BROWSER_KEYS),
];
