import type { DegradedCause } from '../degraded-by.js';

/** What a reason code means, once for every reader of it: retries, circuits, budgets, verdicts, people. */
export interface Reason {
  /**
   * Whose it is: the `worker` (its lease, process or database, never the work), a `provider` of a model or tool, one
   * `answer`, `money`, the `input` of a person or system outside, the `setup` of an installation, a `check` that settled
   * nothing, the `record` that a run reads again, or the `program` itself.
   */
  of: 'worker' | 'record' | 'provider' | 'answer' | 'money' | 'input' | 'setup' | 'check' | 'program';
  /** For people: a clause without a capital or a full stop, such as `the provider refuses the key`. */
  words: string;
  /** The same call may come off a moment later. */
  retry?: true;
  /** It is a sign that the model's or the tool's provider is out: its circuit counts it, another one may do better. */
  outage?: readonly ('model' | 'tool')[];
  /** The provider will say it again to the same question. */
  final?: true;
  /** It is about the account: no call will be answered until a person has mended something. */
  account?: true;
  /** Nothing was made before it, so nothing is charged. */
  free?: true;
  /** A verdict that it was in the way of is degraded by this. S1-17. */
  degradedBy?: DegradedCause;
}
