import { setFlagsFromString } from 'node:v8';

/** How far the old generation may grow beyond what was alive at its last collection, in percent of that. */
const GROWTH_PERCENT = 100;

/**
 * Has this process collect its garbage when its heap has doubled. Where the heap's limit is above 2 GB, as it is on a
 * machine with much memory, V8 lets it grow up to four times: 2,000 cases waiting for a model held 350 to 390 MB that
 * way and hold 270 so, at the same cases a second (docs/measurements.md). In a container with a small limit V8 does this by
 * itself. Call it before there is much on the heap; a second call changes nothing.
 */
export function collectWhenDoubled(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
