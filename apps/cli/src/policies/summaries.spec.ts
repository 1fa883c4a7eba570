import { CasefileError } from '@casefile/contracts';
import type { SummaryPlan, SummariesWritten } from '@casefile/runtime';
import { memoryTerminal } from '../testing/memory-terminal.js';
import { summarise, type Summaries } from './summaries.js';

const policy = { policyId: 'claims', version: 2 };

function aWriter(over: Partial<SummaryPlan>, done: Partial<SummariesWritten> = {}) {
  const terminal = memoryTerminal();
  const heard: string[][] = [];
  const calls = [{}, {}] as SummaryPlan['calls'];
  const plan: SummaryPlan = { policy, model: 'openai/m-1', sections: 9, calls, worstUsd: 0.0123, ...over };
  const writer: Summaries = {
    byDefault: true,
    plan: async () => plan,
    write: async () => {
      heard.push([...terminal.errors]);
      return { written: 9, costUsd: 0.004, failure: null, ...done };
    },
  };
  return { terminal, heard, run: () => summarise(writer, policy, terminal) };
}

describe('S4-10 summaries by a model', () => {
  it('say what they cost at most before the first call', async () => {
    const { heard, run } = aWriter({});
    expect(await run()).toEqual({ written: 9, costUsd: 0.004, model: 'openai/m-1', failure: null });
    expect(heard).toEqual([
      [
        'claims: openai/m-1 writes summaries of 9 sections in 2 calls, for $0.0123 at most (--summaries extract does without)',
      ],
    ]);
  });

  it('own up to a price that nobody knows', async () => {
    const { heard, run } = aWriter({ worstUsd: null });
    await run();
    expect(heard.flat().join()).toContain('at a price that is not known');
  });

  it('say nothing where none is lacking', async () => {
    const { terminal, heard, run } = aWriter({ calls: [], sections: 0 });
    expect([await run(), terminal.errors, heard]).toEqual([null, [], []]);
  });

  it('say why some are missing, and how to have them', async () => {
    const failure = new CasefileError('bad_key', 'the key is not taken');
    const { terminal, run } = aWriter({}, { written: 3, failure });
    expect(await run()).toMatchObject({ written: 3, failure: { reasonCode: 'bad_key' } });
    expect(terminal.errors[1]).toContain('6 sections keep the summaries extracted');
    expect(terminal.errors[1]).toContain('bad_key: the key is not taken');
  });
});
