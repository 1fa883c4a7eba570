import { setFlagsFromString } from 'node:v8';

/** How far the old generation may grow beyond what was alive at its last collection, in percent of that. */
const GROWTH_PERCENT = 150;

/**
 * Has this process collect its garbage when its heap is two and a half times what was alive. Where the heap's limit is above
 * 2 GB, as it is on a machine with much memory, V8 lets it grow up to four times: 2,000 cases waiting for a model held 350 to
 * 390 MB that way and hold 285 to 300 so (docs/measurements.md). In a container with a small limit V8 collects earlier by
 * itself. Call it before there is much on the heap; a second call changes nothing.
 */
export function boundHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
