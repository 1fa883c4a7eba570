import type { Installation } from '../installation.js';

/** The description of the installation on the record. */
export interface Installations {
  /** Makes this description the current one. Publishing the current one again changes nothing. */
  publish(installation: Installation): Promise<void>;
}
