import type { EventRecord } from '@casefile/contracts';
import type { ConsoleClient, ShownCase } from '../client/console-client.js';
import { VerdictFollower } from './verdict-follower.js';

/** A console in memory. Its events occur when a test pushes them. */
class FakeConsole implements Pick<ConsoleClient, 'events' | 'getCase' | 'linkTo'> {
  readonly cases = new Map<string, ShownCase>();
  failures = 0;
  private readonly pushed: EventRecord[] = [];
  private wake: () => void = () => undefined;

  decide(id: string, status = 'decided'): void {
    const verdict =
      status === 'decided'
        ? { disposition: 'act', outcome: {}, confidence: 1, method: 'llm', degraded: false, degradedNote: '' }
        : null;
    const run = {
      id: `run-${id}`,
      alertId: 'a',
      status,
      verdict,
      reasonCode: status === 'decided' ? null : 'no_text',
      artifacts: [],
      toolCalls: [],
      settings: { provider: 'none' },
      cost: { usd: 0, inputTokens: 0, outputTokens: 0, interactions: 0 },
    };
    this.cases.set(id, {
      id,
      playbook: 'p',
      alerts: [{ id: 'a', displayTitle: id }],
      runs: [run],
    } as unknown as ShownCase);
    this.pushed.push({ id: '1.1', type: 'verdict.decided', caseId: id, runId: run.id, data: {}, at: '' });
    this.wake();
  }

  linkTo(caseId: string): string {
    return `/cases/${caseId}`;
  }

  async getCase(caseId: string): Promise<ShownCase> {
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error('in trouble');
    }
    return this.cases.get(caseId) ?? ({ id: caseId, alerts: [], runs: [] } as unknown as ShownCase);
  }

  async events(_last: string | null, signal: AbortSignal): Promise<AsyncIterable<EventRecord>> {
    return this.follow(signal);
  }

  private async *follow(signal: AbortSignal): AsyncGenerator<EventRecord> {
    signal.addEventListener('abort', () => this.wake());
    while (!signal.aborted) {
      for (let event = this.pushed.shift(); event !== undefined; event = this.pushed.shift()) yield event;
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

async function following() {
  const fake = new FakeConsole();
  const over = new AbortController();
  const reports: string[] = [];
  const tell = {
    verdict: (decided: { caseId: string }) => void reports.push(decided.caseId),
    skipped: (count: number) => void reports.push(`skipped ${count}`),
    lost: (why: string) => void reports.push(`lost ${why}`),
  };
  const follower = new VerdictFollower(fake as unknown as ConsoleClient, tell, over.signal);
  const { ended } = await follower.start();
  const end = async (): Promise<void> => {
    over.abort();
    await ended;
  };
  return { fake, follower, reports, end };
}

const run = (caseId: string) => ({ caseId, runId: `run-${caseId}` });

describe('VerdictFollower', () => {
  it('tells each verdict once, though it is waited for and followed', async () => {
    const { fake, follower, reports, end } = await following();
    const outcomes = follower.outcomes([run('a'), run('b')], 10_000);
    fake.decide('a');
    fake.decide('b');
    expect((await outcomes).map((outcome) => outcome.caseId).sort()).toEqual(['a', 'b']);
    await end();
    expect(reports.sort()).toEqual(['a', 'b']);
  });

  it('answers what was decided before it began', async () => {
    const { fake, follower, reports, end } = await following();
    fake.decide('a');
    await follower.outcomes([run('a')], 10_000);
    await follower.outcomes([run('a')], 10_000);
    await end();
    expect(reports).toEqual(['a']);
  });

  it('says which run ended without a verdict', async () => {
    const { fake, follower, end } = await following();
    fake.decide('a', 'stopped');
    expect(await follower.outcomes([run('a')], 10_000)).toEqual([
      { runId: 'run-a', caseId: 'a', without: 'no_text' },
    ]);
    await end();
  });

  it('leaves out what has not ended in its time', async () => {
    const { follower, end } = await following();
    expect(await follower.outcomes([run('a')], 0)).toEqual([]);
    await end();
  });

  it('waits for a console that is in trouble', async () => {
    const { fake, follower, reports, end } = await following();
    fake.failures = 1;
    fake.decide('a');
    expect(await follower.outcomes([run('a')], 10_000)).toHaveLength(1);
    await end();
    expect(reports).toEqual(['a']);
  });
});
