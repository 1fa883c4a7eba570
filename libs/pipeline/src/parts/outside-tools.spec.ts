import { type FrozenTool } from '@casefile/contracts';
import { anInput } from '../testing/scam-builders.js';
import { fakePorts } from '../testing/fake-ports.js';
import { lookUps } from './look-ups.js';
import { listingOutsideTools } from './outside-tools.js';

const aTool = (name: string, hash: string): FrozenTool => ({
  name,
  source: 'cluster',
  description: 'Reads logs.',
  parameters: { type: 'object' },
  hash,
  required: false,
});

const collect = listingOutsideTools(lookUps({ plan: () => [], waitMs: () => 1 }));

/** The evidence of a round without look-ups, while servers offer these tools. */
async function collected(tools: FrozenTool[], previous: Parameters<typeof collect>[0]['previous'] = {}) {
  const ports = fakePorts();
  const offers = () => ({ tools, out: [{ name: 'cluster__metrics', why: 'cluster is down' }] });
  return collect({ brief: anInput().brief, previous }, { ...ports, tools: { ...ports.tools, offers } });
}

describe('S2-42 the tools of outside servers that a run may call', () => {
  it('are frozen by collect, with those that it has to do without', async () => {
    const tools = [aTool('cluster__logs', 'a')];
    const toolsOut = [{ name: 'cluster__metrics', why: 'cluster is down' }];
    expect(await collected(tools)).toMatchObject({ kind: 'done', artifact: { tools, toolsOut } });
  });

  it('stay those of the first round in every round after it', async () => {
    const first = { items: [], tools: [aTool('cluster__logs', 'a')], toolsOut: [] };
    const later = await collected([aTool('cluster__logs', 'b')], { evidence: first });
    expect(later).toMatchObject({ artifact: { tools: first.tools, toolsOut: [] } });
  });

  it('are not spoken of where the settings of a run name none', async () => {
    const outcome = await collect({ brief: anInput().brief, previous: {} }, fakePorts());
    expect(outcome).toMatchObject({ kind: 'done' });
    expect(outcome.kind === 'done' && Object.keys(outcome.artifact as object)).toEqual(['items']);
  });
});
