import { PLACES } from '../places.js';

/** Keys that a page binds, with what each does there. `useKeys` binds only these and those of the pages. */
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

/** Every key and what it does, as the list of keys shows them. */
export const ALL_KEYS: readonly (readonly [keys: string, does: string])[] = [
  ...PLACES.map(({ keys, name }) => [keys, name] as const),
  ...Object.entries(PAGE_KEYS),
  ...Object.entries(BROWSER_KEYS),
];
