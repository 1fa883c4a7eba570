import pg from 'pg';
import { gatedModel } from '../browser/gated-model.js';
import { instantModel } from '../testing/instant-model.js';
import { realWorld, type World } from '../testing/world.js';

const BULK = 120;
const LIVE = 10;

const anAlert = (kind: string, i: number) => ({
  playbook: 'scam-verdict',
  text: `Offer ${kind} ${i}: pay the fee now at http://parcel-${kind}-${i}.example`,
  collect: false,
});

describe('R16 live cases with a backlog of bulk runs, on Postgres and a queue on it', () => {
  let world: World;
  const model = gatedModel({ content: '', reasoning: '' });
  model.instead = instantModel();
  beforeAll(async () => void (world = await realWorld('postgres', model)), 300_000);
  afterAll(() => world.close());

  it('E-12 are decided before half of the backlog is, and bulk work is all done too', async () => {
    const accept = (kind: string, lane: 'live' | 'batch', count: number) =>
      Promise.all(Array.from({ length: count }, (_, i) => world.accept(anAlert(kind, i), { lane })));
    // Without the gate, a slow acceptance of the live cases would leave them no backlog to overtake.
    model.shut();
    const bulk = await accept('bulk', 'batch', BULK);
    const live = await accept('live', 'live', LIVE);
    model.open();
    for (const { caseId } of [...live, ...bulk]) {
      const { runs } = await world.ended(caseId, 240_000);
      expect(runs).toMatchObject([{ status: 'decided', verdict: { method: 'llm' } }]);
    }
    const lanes = await decidedInOrder(world);
    expect(lanes.filter((lane) => lane === 'batch')).toHaveLength(BULK);
    expect(lanes.filter((lane) => lane === 'live')).toHaveLength(LIVE);
    const before = lanes.slice(0, lanes.lastIndexOf('live')).filter((lane) => lane === 'batch');
    expect(before.length).toBeLessThan(BULK / 2);
  }, 300_000);
});

/** The lanes of all runs, in the order of their verdicts. */
async function decidedInOrder({ platform }: World): Promise<string[]> {
  const client = new pg.Client({ connectionString: platform.config.env.DATABASE_URL });
  await client.connect();
  const { rows } = await client.query<{ lane: string }>(
    `select r.lane from artifacts a join runs r on r.id = a.run_id where a.artifact = 'verdict' order by a.created_at`,
  );
  await client.end();
  return rows.map(({ lane }) => lane);
}
