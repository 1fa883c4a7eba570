import type { DegradedCause } from '../degraded-by.js';

/** Properties of a reason code, shared by all users of it: retries, circuits, budgets, verdicts, people. */
export interface Reason {
  /**
   * Origin of the problem: the `worker` (its lease, process or database, never the work), a `provider` of a
   * model or tool, one `answer`, `money`, the `input` from a person or external system, the `setup` of an
   * installation, a `check` without a result, the `record` that a replay reads, or the `program` itself.
   */
  of: 'worker' | 'record' | 'provider' | 'answer' | 'money' | 'input' | 'setup' | 'check' | 'program';
  /** A clause for people, without a capital or a full stop, such as `the provider refuses the key`. */
  words: string;
  /** The same call may succeed a moment later. */
  retry?: true;
  /**
   * The failure suggests that the model's or the tool's provider is down: the circuit counts it, and another
   * provider may succeed.
   */
  outage?: readonly ('model' | 'tool')[];
  /** The provider will give the same response to the same question. */
  final?: true;
  /** The account has a problem: every call will fail until an administrator has fixed it. */
  account?: true;
  /** No call was made, so nothing is charged. */
  free?: true;
  /** The cause by which an affected verdict is degraded. */
  degradedBy?: DegradedCause;
}
