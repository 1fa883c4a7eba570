// Order of the specs: the longest first, so that no worker is left with a long one at the end. Files whose
// seconds are not recorded yet (see ../durations.mjs) are ordered by their folder: those that start processes
// and browsers come first.
import { relative } from 'node:path';
import Sequencer from '@jest/test-sequencer';
import { readDurations } from '../durations.mjs';
import { root } from '../root.mjs';

/** Folders with the seconds that a file in them is expected to take. */
const EXPECTED = [
  [/\/apps\/e2e\/src\/browser\/|\/tools\/worst-inputs\/|\/hostile-sizes\.spec|\/ends-run\.spec/, 60],
  [/\/apps\/(?:e2e|bench)\/|\/tools\/|\/libs\/(?:store|embedded)\//, 1],
];

export default class SlowFirst extends Sequencer {
  #seconds = readDurations();

  sort(tests) {
    return super.sort(tests).sort((a, b) => this.#secondsOf(b) - this.#secondsOf(a));
  }

  #secondsOf({ path }) {
    const expected = EXPECTED.find(([place]) => place.test(path))?.[1] ?? 0;
    return this.#seconds[relative(root, path)] ?? expected;
  }
}
