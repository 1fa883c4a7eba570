/** Result of a step that copies a month. `kept`: the next model call has its content, or another process changes months. */
export type CopyStep = 'more' | 'kept' | 'all';

/** Model calls are stored in one partition per month of their run, UTC. */
export interface CallMonths {
  /**
   * Adds the partitions of the months until three months from now. A run without a partition of its month is
   * stored too, and moved when the partition is added.
   * @returns the number of new partitions.
   */
  addAhead(): Promise<number>;
  /** Returns past months whose newest call was erased and whose space is not freed yet, oldest first. */
  erased(): Promise<string[]>;
  /**
   * Copies the next calls of a month, in the order of their runs, to a table without free space. Only erased
   * calls are copied, because they do not change any more. A later step continues after the last copied call.
   * @param limit Largest number of calls.
   */
  copyErased(month: string, limit: number): Promise<CopyStep>;
  /**
   * Replaces a month by its complete copy and drops the old table.
   * @returns the bytes of both tables with their indexes; null: the table was in use for too long, so nothing was done.
   */
  replace(month: string): Promise<{ bytesBefore: number; bytesAfter: number } | null>;
}
