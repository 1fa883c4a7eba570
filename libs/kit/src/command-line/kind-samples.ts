import type { JsonObject } from '@casefile/contracts';
import type { KnowledgeSeed } from './knowledge-seed.js';

/** Bundled samples of a kind of case, in addition to the alerts of `alerts.json`. */
export interface KindSamples {
  alerts: JsonObject[];
  /** Knowledge for the look-ups and checks of the sample alerts. */
  lookedUp: KnowledgeSeed;
}
