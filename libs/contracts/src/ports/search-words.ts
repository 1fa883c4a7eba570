/** The words by which cases are found. They are written after the texts, from the events that report them. */
export interface SearchWords {
  /**
   * Reads the next events and stores the words of their alerts and reports. An erased text has no words.
   * @returns the number of events read; fewer than the limit: there are no more for now.
   */
  note(limit: number): Promise<number>;
}
