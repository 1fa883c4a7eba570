import { CasefileError, silentLogger, type Lane, type Nudge } from '@casefile/contracts';
import { Nudger } from './nudger.js';

const wakeUp = (n: number, lane: Lane = 'live'): Nudge => ({
  kind: 'tool',
  tool: 'scam_db',
  toolCallId: `call-${n}`,
  lane,
  nudge: 1,
});
const away = new CasefileError('queue_unavailable', 'away', { retryable: true });

/** A queue that refuses while `isAway`, and hangs in no call. */
function setUp() {
  const state = { isAway: true, nudges: [] as Nudge[] };
  const answer = async () => {
    if (state.isAway) throw away;
  };
  const ping = jest.fn(answer);
  const add = jest.fn(async (nudges: Nudge[]) => {
    await answer();
    state.nudges.push(...nudges);
  });
  const warn = jest.fn();
  const nudger = new Nudger({ nudge: add, ping }, { ...silentLogger, warn });
  return { state, ping, add, warn, nudger };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('R8 sends what the queue refused again when it answers, once, and logs the outage once', async () => {
  const { state, warn, nudger } = setUp();
  await nudger.nudge([wakeUp(1)]);
  await nudger.nudge([wakeUp(2)]);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(state.nudges).toEqual([]);
  state.isAway = false;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(state.nudges).toEqual([wakeUp(1), wakeUp(2)]);
  await jest.advanceTimersByTimeAsync(30_000);
  expect(state.nudges).toHaveLength(2);
  expect(warn).toHaveBeenCalledTimes(1);
});

it('R8 adds no job again before the queue answers, and leaves late wake-ups to the sweeper', async () => {
  const { state, ping, add, nudger } = setUp();
  await nudger.nudge([wakeUp(1)]);
  await jest.advanceTimersByTimeAsync(20_000);
  expect(add).toHaveBeenCalledTimes(1);
  const { length } = ping.mock.calls;
  expect(length).toBeGreaterThan(20);
  state.isAway = false;
  await jest.advanceTimersByTimeAsync(20_000);
  expect(state.nudges).toEqual([]);
  expect(ping).toHaveBeenCalledTimes(length);
  // A later outage starts anew.
  state.isAway = true;
  await nudger.nudge([wakeUp(2)]);
  state.isAway = false;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(state.nudges).toEqual([wakeUp(2)]);
});

it('R8 keeps the newest 1,000 of the refused wake-ups, those of live work first', async () => {
  const { state, nudger } = setUp();
  for (let n = 0; n < 300; n += 1) await nudger.nudge([wakeUp(n)]);
  await nudger.nudge(Array.from({ length: 1_500 }, (_, n) => wakeUp(1_000 + n, 'batch')));
  await jest.advanceTimersByTimeAsync(600);
  state.isAway = false;
  await jest.advanceTimersByTimeAsync(1_000);
  expect(state.nudges).toHaveLength(1_000);
  expect(state.nudges.filter(({ lane }) => lane === 'live')).toHaveLength(300);
  expect(state.nudges).toContainEqual(wakeUp(2_499, 'batch'));
  expect(state.nudges).not.toContainEqual(wakeUp(1_000, 'batch'));
});

it('does not repeat a wake-up that the queue refuses permanently', async () => {
  const refuse = jest.fn(() => Promise.reject(new CasefileError('unknown_queue', 'no such queue')));
  await new Nudger({ nudge: refuse, ping: async () => undefined }, silentLogger).nudge([wakeUp(1)]);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(refuse).toHaveBeenCalledTimes(1);
});
