import type { EventRecord } from '@casefile/contracts';
import { Activity, activityKind } from './activity.js';
import { EventStream, RefusedStream, type StreamState } from './event-stream.js';
import { throttle } from './throttle.js';

const encoder = new TextEncoder();
const event = (id: string): EventRecord => ({
  id,
  type: 'stage.completed',
  caseId: 'c',
  runId: 'r',
  data: {},
  at: '2026-01-01T00:00:00Z',
});
const frame = (id: string): string =>
  `id: ${id}\nevent: stage.completed\ndata: ${JSON.stringify(event(id))}\n\n`;

function streamOf(...chunks: string[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
}

/** Plays one response per connection. Stops the stream after the last one. */
async function play(answers: (string[] | Error)[]) {
  const seen = {
    events: [] as string[],
    states: [] as StreamState[],
    gaps: 0,
    lastEventIds: [] as (string | null)[],
    waits: [] as number[],
  };
  await new Promise<void>((resolve) => {
    const stream = new EventStream(
      {
        onEvent: ({ id }) => void seen.events.push(id),
        onGap: () => void (seen.gaps += 1),
        onState: (state) => void seen.states.push(state),
      },
      async (lastEventId) => {
        seen.lastEventIds.push(lastEventId);
        const answer = answers.shift();
        if (answer === undefined) {
          stream.stop();
          resolve();
          return streamOf();
        }
        if (answer instanceof Error) throw answer;
        return streamOf(...answer);
      },
      async (ms) => void seen.waits.push(ms),
    );
    stream.start();
  });
  return seen;
}

describe('S2-31 S2-32 the event stream of the page', () => {
  it('continues after the last event when its connection breaks, with none missed and none twice', async () => {
    const seen = await play([
      [': hi\n\n', frame('1.1'), frame('1.2').slice(0, 20)],
      [frame('1.2'), frame('2.3')],
    ]);
    expect(seen.events).toEqual(['1.1', '1.2', '2.3']);
    expect(seen.lastEventIds).toEqual([null, '1.1', '2.3']);
  });

  it('reads everything anew where it began without knowing what came before, and only there', async () => {
    expect((await play([[frame('1.1')], [frame('1.2')]])).gaps).toBe(1);
  });

  it('begins again when the log does not know its last event', async () => {
    const seen = await play([[frame('9.9')], new RefusedStream(400), [frame('1.1')]]);
    expect(seen.lastEventIds).toEqual([null, '9.9', null, '1.1']);
    expect(seen.gaps).toBe(2);
  });

  it('waits longer after each attempt without an answer, and says that it is offline', async () => {
    const down = () => new Error('down');
    const seen = await play([down(), down(), down(), [frame('1.1')]]);
    expect(seen.waits.slice(0, 4)).toEqual([500, 1_000, 2_000, 500]);
    expect(seen.states.slice(0, 4)).toEqual(['connecting', 'offline', 'connecting', 'offline']);
  });
});

describe('S2-32 reading anew after events', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('happens at once and then at most once a while, never losing the last', () => {
    const work = jest.fn();
    const throttled = throttle(work, 1_000);
    for (let i = 0; i < 5; i += 1) throttled.call();
    expect(work).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1_000);
    expect(work).toHaveBeenCalledTimes(2);
    jest.advanceTimersByTime(5_000);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('can be called off', () => {
    const work = jest.fn();
    const throttled = throttle(work, 1_000);
    throttled.call();
    throttled.call();
    throttled.cancel();
    jest.advanceTimersByTime(5_000);
    expect(work).toHaveBeenCalledTimes(1);
  });
});

describe('S2-32 the counts of what happens', () => {
  it('are kept by slot, without the one that is not over', () => {
    const counts = new Activity(1_000, 3);
    counts.add('verdicts', 10_000);
    counts.add('verdicts', 10_900);
    counts.add('failures', 12_500);
    counts.add('verdicts', 13_100);
    const series = counts.series(13_200);
    expect(series.at).toEqual([10, 11, 12]);
    expect(series.counts).toEqual({ verdicts: [2, 0, 0], failures: [0, 0, 1], 'model calls': [0, 0, 0] });
  });

  it('belong to a few types of events', () => {
    expect(
      ['verdict.decided', 'interaction.completed', 'stage.failed', 'stage.completed'].map(activityKind),
    ).toEqual(['verdicts', 'model calls', 'failures', null]);
  });
});
