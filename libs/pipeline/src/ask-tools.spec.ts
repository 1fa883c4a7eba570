import type { ToolCall, ToolRequest } from '@casefile/contracts';
import { askTools } from './ask-tools.js';
import type { StepTools } from './stage-ports.js';

const ask = (tool: string, query: string): ToolRequest => ({ tool, args: { query } });
const near = (query: string) => ask('near', query);
const far = (query: string) => ask('far', query);

function world() {
  const record: ToolCall[] = [];
  const work = (step: number, requests: readonly ToolRequest[]): void => {
    for (const [seq, { tool, args }] of requests.entries()) {
      if (record.some((one) => one.step === step && one.seq === seq)) continue;
      const stored = JSON.parse(JSON.stringify(args).replaceAll('\\u0000', '\u2400')) as ToolCall['args'];
      record.push({
        runId: 'r',
        unit: 'u',
        stage: 'reason',
        round: 1,
        id: `${step}/${seq}`,
        step,
        seq,
        tool,
        args: stored,
        state: 'succeeded',
        attempts: 1,
        result: `of ${String(stored['query'])}`,
        source: null,
        reasonCode: null,
        message: null,
        durationMs: 1,
        createdAt: '',
        settledAt: '',
      });
    }
  };
  const recorded = (step: number) => record.filter((one) => one.step === step);
  const tools: StepTools = {
    locality: (tool) => (tool === 'near' ? 'local' : 'remote'),
    entityTypes: () => [],
    describe: () => null,
    offers: () => ({ tools: [], out: [] }),
    recorded,
    inline: async (step, requests) => {
      work(step, requests);
      return recorded(step);
    },
  };
  /** Asks until nothing is waited for, as a unit that is woken does. */
  const asked = async (turn: number, requests: readonly ToolRequest[]): Promise<unknown[]> => {
    for (let renderings = 0; renderings < 5; renderings += 1) {
      const came = await askTools(turn, requests, { tools }, 1);
      if ('calls' in came) return came.calls.map(({ result }) => result);
      work(came.wait.step, came.wait.calls);
    }
    throw new Error('it waits for ever');
  };
  return { asked, record, tools };
}

describe('S4-06 what a turn asks of tools', () => {
  it('R3 is read from the record when it is asked again', async () => {
    const { asked, record } = world();
    const requests = [far('a'), near('b'), far('c')];
    expect(await asked(1, requests)).toEqual(['of a', 'of b', 'of c']);
    expect(await asked(1, requests)).toEqual(['of a', 'of b', 'of c']);
    expect(record.map(({ step, seq }) => `${step}/${seq}`)).toEqual(['1/0', '2/0', '2/1']);
  });

  it.each([
    ['others', [far('x'), near('y')]],
    ['more', [far('a'), near('b'), far('c'), near('d')]],
    ['fewer', [near('b')]],
    ['the same in another order', [far('c'), near('b'), far('a')]],
  ])(
    'never gets the answers to other requests that the record has at this turn: %s',
    async (_name, requests) => {
      const { asked, record } = world();
      await asked(1, [far('a'), near('b'), far('c')]);
      const before = structuredClone(record);
      const wanted = requests.map(({ args }) => `of ${args['query']}`);
      expect(await asked(1, requests)).toEqual(wanted);
      expect(await asked(1, requests)).toEqual(wanted);
      expect(record.slice(0, before.length)).toEqual(before);
      expect(await asked(2, [far('z')])).toEqual(['of z']);
    },
  );

  it('knows its own requests on the record, whatever the record does to their words and their order', async () => {
    const { asked, record } = world();
    const odd = { tool: 'far', args: { query: 'a\0b\ud800', more: { b: 1, a: [true] } } };
    await asked(1, [odd]);
    const again = { tool: 'far', args: { more: { a: [true], b: 1 }, query: odd.args.query } };
    await asked(1, [again]);
    expect(record).toHaveLength(1);
  });

  it('that never asks the same twice ends in calls_diverged', async () => {
    const { asked } = world();
    for (let i = 0; i < 10; i += 1) await asked(1, [far(`other ${i}`)]);
    await expect(asked(1, [far('one more')])).rejects.toMatchObject({ reasonCode: 'calls_diverged' });
  });
});
