/** An input that is small as it is sent and large as it is read. */
export interface HostileInput {
  /** As in the first column of the table. */
  name: string;
  /**
   * Makes the input in this folder, and starts the servers that offer it, outside of the process that is measured.
   * @param full In its full size; else in a size that is refused as well and quicker to make.
   */
  offer(folder: string, full: boolean): Promise<Offer>;
  /** In the process that is measured: sets up what reads the input. Measuring begins when the returned function is called. */
  serve(place: string): Promise<Attack>;
}

export interface Offer {
  /** Where the input is: a path or an address. */
  place: string;
  close?(): Promise<void>;
}

/** Has the input read. Returns the reason for which it was refused; null: it was taken. */
export type Attack = () => Promise<string | null>;
