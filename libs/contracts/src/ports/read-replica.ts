/** State of the replica from which lists, search and quality are read. */
export interface ReplicaState {
  /** How far the replica is behind the primary, in milliseconds and to about 3 s; null: one of them did not answer. */
  lagMs: number | null;
  /** Why the primary is read in place of the replica; null: the replica is read. */
  unusedBecause: string | null;
}

/** A copy of the record that may be some seconds old. */
export interface ReadReplica {
  /** Returns its state, at most some seconds old. Never throws. */
  state(): Promise<ReplicaState>;
}
