import { noTelemetry, silentLogger, type JsonObject } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import fc from 'fast-check';
import { createToolRunner } from '../run-tool.js';
import { aListedTool, mcpWorld, type ListedWorld } from '../testing/mcp-world.js';
import { createToolBox } from '../tool-box.js';

/** `MUTATIONS=all npm test -- libs/evidence/src/mcp/mutations` does 1,000 and 100 restarts; `SEED=n` draws others. */
const ALL = process.env['MUTATIONS'] === 'all';
const [MUTATIONS, RESTARTS] = ALL ? [1_000, 100] : [40, 3];
const seed = Number(process.env['SEED'] ?? 42);

const schema = {
  type: 'object',
  properties: {
    query: { type: 'string', description: 'What to look for' },
    limit: { type: 'integer', minimum: 1, default: 10 },
    level: { enum: ['error', 'warn'] },
  },
  required: ['query'],
};
const LIST: ListedWorld = {
  instructions: 'Ask for logs before metrics.',
  tools: ['logs', 'metrics', 'facts'].map((name) =>
    aListedTool(name, {
      title: `Read ${name}`,
      inputSchema: name === 'facts' ? { type: 'object' } : schema,
      outputSchema:
        name === 'metrics' ? { type: 'object', properties: { value: { type: 'number' } } } : undefined,
      annotations: { readOnlyHint: true, title: name },
    }),
  ),
};

type Mutation = readonly [what: string, of: 'logs' | 'metrics', change: (list: ListedWorld) => ListedWorld];

const word = fc.stringMatching(/^[a-z]{3,10}$/);
const tool = fc.constantFrom('logs' as const, 'metrics' as const);
const changed = (of: string, change: (one: Record<string, unknown>) => object) => (list: ListedWorld) => ({
  ...list,
  tools: list.tools.map((one) => (one['name'] === of ? { ...one, ...change(one) } : one)),
});
const inSchema =
  (change: (properties: Record<string, object>) => object) => (one: Record<string, unknown>) => {
    const own = one['inputSchema'] as { properties: Record<string, object> };
    return { inputSchema: { ...own, ...change(own.properties) } };
  };
/** Invisible characters between the letters of a text. */
const UNSEEN = ['\u200b', '\u202e', '\u{e0041}', ' ', '\n', '\u00ad'];

/** A change of one thing that a model would go by. */
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc
    .tuple(tool, word)
    .map(([of, text]): Mutation => ['description', of, changed(of, () => ({ description: text }))]),
  fc.tuple(tool, fc.constantFrom(...UNSEEN), fc.nat(10)).map(([of, mark, at]): Mutation => {
    const put = (text: string) => text.slice(0, at) + mark + text.slice(at);
    return ['unseen character', of, changed(of, (one) => ({ description: put(String(one['description'])) }))];
  }),
  tool.map((of): Mutation => ['no description', of, changed(of, () => ({ description: undefined }))]),
  fc.tuple(tool, word).map(([of, title]): Mutation => ['title', of, changed(of, () => ({ title }))]),
  fc.tuple(tool, word, word).map(([of, name, description]): Mutation => {
    const more = (properties: object) => ({
      properties: { ...properties, [`x_${name}`]: { type: 'string', description } },
    });
    return ['added argument', of, changed(of, inSchema(more))];
  }),
  fc.tuple(tool, fc.constantFrom('limit', 'level')).map(([of, gone]): Mutation => {
    const less = ({ [gone]: _, ...properties }: Record<string, object>) => ({ properties });
    return ['lost argument', of, changed(of, inSchema(less))];
  }),
  fc.tuple(tool, word).map(([of, description]): Mutation => {
    const said = (properties: Record<string, object>) => ({
      properties: { ...properties, query: { type: 'string', description } },
    });
    return ['words of an argument', of, changed(of, inSchema(said))];
  }),
  fc.tuple(tool, fc.integer({ min: 11, max: 999 })).map(([of, by]): Mutation => {
    const raised = (properties: Record<string, object>) => ({
      properties: { ...properties, limit: { type: 'integer', minimum: 1, default: by } },
    });
    return ['default', of, changed(of, inSchema(raised))];
  }),
  tool.map((of): Mutation => [
    'what must be there',
    of,
    changed(
      of,
      inSchema(() => ({ required: ['query', 'level'] })),
    ),
  ]),
  fc.tuple(tool, word).map(([of, name]): Mutation => {
    return [
      'result',
      of,
      changed(of, () => ({ outputSchema: { type: 'object', properties: { [`x_${name}`]: {} } } })),
    ];
  }),
  fc
    .tuple(tool, fc.constantFrom('destructiveHint', 'idempotentHint', 'openWorldHint'))
    .map(([of, hint]): Mutation => {
      return [
        'annotation',
        of,
        changed(of, () => ({ annotations: { readOnlyHint: true, title: of, [hint]: true } })),
      ];
    }),
  fc
    .tuple(tool, word)
    .map(([of, text]): Mutation => ['instructions', of, (list) => ({ ...list, instructions: text })]),
  tool.map((of): Mutation => [
    'listed twice',
    of,
    (list) => ({ ...list, tools: [...list.tools, aListedTool(of)] }),
  ]),
  fc
    .tuple(tool, word)
    .map(([of, name]): Mutation => ['another name', of, changed(of, () => ({ name: `${of}_${name}` }))]),
);

describe('S2-42 a tool list that changes behind our back', () => {
  let world: ReturnType<typeof mcpWorld>;
  beforeEach(async () => {
    world = mcpWorld(LIST);
    await world.source.connect();
    world.pins.approve('logs', 'metrics', 'facts');
    await world.source.connect();
  });
  afterEach(() => world.close());

  const runner = () =>
    createToolRunner(
      {
        tools: createToolBox([world.source]),
        clock: manualClock(),
        log: silentLogger,
        telemetry: noTelemetry,
        mask: async (value) => ({ value }),
      },
      { circuit: { failures: 1_000_000, openMs: 1 } },
    );
  const never = new AbortController().signal;
  /** How often the server's process was called, this time included. */
  const called = async (): Promise<number> => {
    const settled = await runner().run('cluster__facts', {}, never);
    expect(settled).toMatchObject({ state: 'succeeded' });
    const { result } = settled;
    return Number((JSON.parse(String((result as JsonObject)['text'])) as JsonObject)['called']);
  };

  it(`has each of ${MUTATIONS} mutations quarantined before any call`, async () => {
    const run = runner();
    const outcomes: string[] = [];
    for (const [what, of, change] of fc.sample(mutation, { numRuns: MUTATIONS, seed })) {
      world.lists(change(LIST));
      // Its instructions are those of a connection: a server that changes them has started anew.
      if (what === 'instructions') world.kill();
      const settled = await run.run(`cluster__${of}`, { query: 'up' }, never);
      outcomes.push(settled.reasonCode === 'not_approved' ? 'quarantined' : `${what}: ${settled.reasonCode}`);
      if (what !== 'instructions') continue;
      world.lists(LIST);
      world.kill();
    }
    world.lists(LIST);
    expect(outcomes.filter((outcome) => outcome !== 'quarantined')).toEqual([]);
    // The last one may have been killed a moment ago, and its end not seen yet.
    await world.source.connect();
    await world.source.connect();
    expect(await called()).toBe(1);
  }, 600_000);

  it('has a tool that was added never offered, allowed or not', async () => {
    const added = { ...LIST, tools: [...LIST.tools, aListedTool('delete_everything')] };
    world.lists(added);
    await world.source.connect();
    const run = runner();
    expect((await run.run('cluster__delete_everything', {}, never)).reasonCode).toBe('unknown_tool');
    expect(world.source.offers!().tools.map(({ name }) => name)).not.toContain('cluster__delete_everything');
    expect(await called()).toBe(1);
  });

  it(`raises no alarm over ${RESTARTS} clean restarts`, async () => {
    const before = world.source.offers!();
    expect(before).toMatchObject({ tools: { length: 3 }, out: [] });
    for (let restarts = 0; restarts < RESTARTS; restarts += 1) {
      world.kill();
      expect(await called()).toBe(1);
      expect(world.source.offers!()).toEqual(before);
    }
  }, 600_000);
});
