import type { RunDocument } from '@casefile/contracts';
import { waitForVerdict } from './wait-for-verdict.js';

const run = (status: string, verdict: object | null = null) =>
  ({ status, verdict }) as unknown as RunDocument;
const never = new AbortController().signal;

describe('a caller that waits for a verdict', () => {
  it('S5-05 gets it once it is there', async () => {
    const looks = [run('due'), run('running'), run('decided', { disposition: 'act' })];
    const reader = { getRun: async () => looks.shift() ?? null };
    expect(await waitForVerdict(reader, 'run-1', 60_000, never)).toEqual({ disposition: 'act' });
  });

  it('S5-05 is let go when the time is over, and at once at a stop', async () => {
    const reader = { getRun: async () => run('running') };
    expect(await waitForVerdict(reader, 'run-1', 0, never)).toBeNull();
    const stop = new AbortController();
    const waiting = waitForVerdict(reader, 'run-1', 3_600_000, stop.signal);
    stop.abort();
    expect(await waiting).toBeNull();
  });

  it.each(['quarantined', 'parked'])('S5-05 waits for no verdict of a run that is %s', async (status) => {
    const reader = { getRun: async () => run(status) };
    expect(await waitForVerdict(reader, 'run-1', 60_000, never)).toBeNull();
  });
});
