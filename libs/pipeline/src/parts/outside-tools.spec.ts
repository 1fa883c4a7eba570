import { type FrozenTool } from '@casefile/contracts';
import { anInput } from '../testing/scam-builders.js';
import { fakePorts } from '../testing/fake-ports.js';
import { collect } from './collect.js';

const aTool = (name: string, hash: string): FrozenTool => ({
  name,
  source: 'cluster',
  description: 'Reads logs.',
  parameters: { type: 'object' },
  hash,
  required: false,
});

/** What collect appends in a round with nothing to ask, while the servers offer this. */
async function collected(tools: FrozenTool[], previous: object = {}) {
  const ports = fakePorts({ settings: { tools: [] } });
  const offers = () => ({ tools, out: [{ name: 'cluster__metrics', why: 'cluster is down' }] });
  const brief = { ...anInput().brief, collect: false };
  const artifacts = { brief } as unknown as Parameters<typeof collect.run>[0]['artifacts'];
  const loaded = { alert: null, artifacts, previous, units: [] };
  return collect.run(loaded, { ...ports, tools: { ...ports.tools, offers } });
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
    const ports = fakePorts({ settings: { tools: [] } });
    const brief = { ...anInput().brief, collect: false };
    const artifacts = { brief } as unknown as Parameters<typeof collect.run>[0]['artifacts'];
    const outcome = await collect.run({ alert: null, artifacts, previous: {}, units: [] }, ports);
    expect(outcome).toMatchObject({ kind: 'done' });
    expect(outcome.kind === 'done' && Object.keys(outcome.artifact as object)).toEqual(['items']);
  });
});
