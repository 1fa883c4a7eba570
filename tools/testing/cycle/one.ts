import type { Other } from './other.js';

/** Imports a file that imports this one, for the spec of import cycles. */
export interface One {
  other: Other | null;
}
