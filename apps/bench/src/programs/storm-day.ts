// Plays days of mixed storms through the rules of storms, and reports pages, joined and missed alerts.
import { parseArgs } from 'node:util';
import { playStormDay } from '@casefile/contracts/testing';

const { values } = parseArgs({
  options: { days: { type: 'string', default: '20' }, seed: { type: 'string', default: '1' } },
});
const [days, first] = [Number(values.days), Number(values.seed)];

let faults = 0;
for (let seed = first; seed < first + days; seed += 1) {
  const day = playStormDay(seed);
  const { alerts, joined, wronglyJoined, judged, pages, pagesWithout, missed, hidden, mostPagesOfACause } =
    day;
  faults += wronglyJoined + missed.length + hidden.alerts - hidden.paged;
  console.log(
    `day ${seed}: ${alerts} alerts, ${joined} joined (${wronglyJoined} wrongly), ${judged} judged, ${pages} pages instead of ${pagesWithout} (at most ${mostPagesOfACause} of a cause), ${missed.length} missed, ${hidden.paged} of ${hidden.alerts} hidden alerts paged`,
  );
}
process.exitCode = faults === 0 ? 0 : 1;
