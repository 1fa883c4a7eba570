import type { JsonObject } from '@casefile/contracts';
import type { Seed } from '../up/system.js';

/** What the folder of bundled samples has for a kind of case, beside the alerts of `alerts.json`. */
export interface KindSamples {
  alerts: JsonObject[];
  /** What the sample alerts are looked up in, and checked against. */
  lookedUp: Seed;
}
