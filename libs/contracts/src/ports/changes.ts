/**
 * Subjects of the store's notifications. `settings`: the settings that processes share changed. `imports`: an import can
 * be claimed. `work`: events were written after a pause of some seconds.
 */
export const CHANGE_SUBJECTS = ['settings', 'imports', 'work'] as const;
export type ChangeSubject = (typeof CHANGE_SUBJECTS)[number];

/** Notifications of the store. They can be lost, so each user also reads at an interval. */
export interface Changes {
  /**
   * Calls `changed` after each committed change, over a separate connection. `lost` is called one time if the
   * connection ends unexpectedly; the caller then listens again.
   * @returns a function that closes the connection.
   */
  listen(
    changed: (subject: ChangeSubject) => void,
    lost: (error: Error) => void,
  ): Promise<() => Promise<void>>;
}

/** Notifications as a process gets them. */
export interface ChangeSource {
  /** Whether notifications arrive. If not, users read at a short interval. */
  isListening(): boolean;
  /**
   * Calls `changed` after each change of the subject, and whenever the connection begins or ends, because
   * notifications may be missed then. @returns a function that ends the calls.
   */
  on(subject: ChangeSubject, changed: () => void): () => void;
}

/** A source without notifications, for commands and tests. */
export const NO_CHANGES: ChangeSource = { isListening: () => false, on: () => () => undefined };
