import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { z } from '@casefile/contracts';
import { realWorld, type World } from '../../testing/world.js';

/** The validator that the linter of API documents brings along. */
const required = createRequire(createRequire(import.meta.url).resolve('@redocly/openapi-core'));
const { default: Ajv } = required('ajv/dist/2020.js') as {
  default: new (options: object) => {
    compile(schema: object): ((value: unknown) => boolean) & { errors?: unknown };
  };
};

const root = (path: string) => readFileSync(new URL(`../../../../../${path}`, import.meta.url), 'utf8');
const samples = z
  .array(z.object({ payload: z.looseObject({ sourceMode: z.string(), items: z.array(z.unknown()) }) }))
  .parse(JSON.parse(root('samples/research.json')))
  .map(({ payload }) => payload);

describe('a question that is posted and waited for', () => {
  let world: World;
  beforeAll(async () => void (world = await realWorld('inline', null)));
  afterAll(() => world.close());

  const ask = async (payload: unknown, query = '?wait=60') => {
    const answer = await fetch(`${world.ingestUrl}/v1/research${query}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
    return {
      status: answer.status,
      body: (await answer.json()) as { caseId?: string; items?: unknown[]; errors?: { path: string }[] },
    };
  };

  it('S5-05 S5-30 is answered with items that a foreign validator accepts by the published schema', async () => {
    const accepts = new Ajv({ strict: true }).compile(JSON.parse(root('docs/schemas/item.json')) as object);
    for (const payload of samples) {
      const { status, body } = await ask(payload);
      expect([status, accepts(body.items), accepts.errors]).toEqual([200, true, null]);
    }
    expect(accepts([{ '@type': 'Item' }])).toBe(false);
  });

  it('S5-05 is answered with its case if no client waits, or the time is over', async () => {
    const { status, body } = await ask(samples[0], '');
    expect([status, Object.keys(body)]).toEqual([202, ['caseId']]);
    expect((await world.ended(body.caseId!)).runs[0]?.verdict).not.toBeNull();
  });

  it('S5-04 names what is wrong, S5-05 and waits for 300 seconds at most', async () => {
    const wrong = await ask({ query: '', sourceMode: 'loose' });
    expect([wrong.status, wrong.body.errors?.map(({ path }) => path)]).toEqual([
      400,
      ['payload.query', 'payload.sourceMode'],
    ]);
    expect((await ask(samples[0], '?wait=301')).status).toBe(400);
  });
});
