/** An input that is small when it is sent and large when it is read. */
export interface HostileInput {
  /** Name in the first column of the table. */
  name: string;
  /**
   * Creates the input in this folder, and starts the servers that offer it, outside the measured process.
   * @param full true: full size. false: a smaller size, which is also refused and is quicker to create.
   */
  offer(folder: string, full: boolean): Promise<Offer>;
  /**
   * Prepares the reader of the input in the measured process. Measuring begins when the returned function is
   * called.
   */
  serve(place: string): Promise<Attack>;
}

export interface Offer {
  /** Path or URL of the input. */
  place: string;
  close?(): Promise<void>;
}

/** Reads the input. Returns the reason for the refusal; null: the input was accepted. */
export type Attack = () => Promise<string | null>;
