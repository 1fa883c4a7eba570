// Order of the specs if Jest does not know their durations yet. Specs that start processes and browsers come
// first, so that no worker is left with a long one at the end.
import Sequencer from '@jest/test-sequencer';

const SLOW = [
  /\/apps\/e2e\/src\/browser\/|\/tools\/worst-inputs\/|\/hostile-sizes\.spec|\/ends-run\.spec/,
  /\/apps\/(?:e2e|bench)\/|\/tools\/|\/libs\/(?:store|embedded)\//,
];

export default class SlowFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => SLOW.findIndex((place) => place.test(path)) >>> 0;
    return super.sort(tests).sort((a, b) => rank(a) - rank(b));
  }
}
