import { silentLogger } from '@casefile/contracts';
import { from } from 'rxjs';
import { createInlineQueue } from '../inline-queue.js';
import { ALERTS } from '../queue-names.js';
import { InlineServer } from './inline-server.js';

const nudge = (runId: string) =>
  ({ kind: 'stage', runId, unit: 'run', round: 0, stage: 'triage', lane: 'live', nudge: 0 }) as const;

describe('services on the inline queue', () => {
  it('get the jobs of their topics, with the facts of the job', async () => {
    const queue = createInlineQueue({ log: silentLogger });
    const [one, other] = [new InlineServer(queue), new InlineServer(queue)];
    const seen: unknown[] = [];
    one.work('triage', async (payload, { job }) => void seen.push([payload, job.queue, job.lane]));
    // Nest's handlers of controllers return streams.
    other.addHandler(ALERTS, async (body: unknown) => from([seen.push(body)]), true);
    for (const server of [one, other]) server.listen((error) => expect(error).toBeUndefined());
    await queue.nudge([nudge('r1')]);
    queue.addAlert({ text: 'pay me' } as Parameters<typeof queue.addAlert>[0]);
    await queue.drain();
    expect(seen).toEqual(
      expect.arrayContaining([
        [{ runId: 'r1', unit: 'run', round: 0 }, 'triage', 'live'],
        { text: 'pay me' },
      ]),
    );
    expect(queue.counts).toMatchObject({ completed: 2, failed: 0 });
  });

  it('fetch nothing after a pause', async () => {
    const queue = createInlineQueue({ log: silentLogger });
    const server = new InlineServer(queue);
    let calls = 0;
    server.work('triage', async () => void (calls += 1));
    server.listen(() => undefined);
    await server.pause();
    await queue.nudge([nudge('r2')]);
    await server.close();
    expect(calls).toBe(0);
  });
});
