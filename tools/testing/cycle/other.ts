import type { One } from './one.js';

/** The file that `one.ts` imports. */
export interface Other {
  one: One | null;
}
