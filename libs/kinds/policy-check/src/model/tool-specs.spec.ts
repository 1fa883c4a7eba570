import { z } from '@casefile/contracts';
import { controller } from './controller.js';
import { toolSpecs } from '@casefile/pipeline/strategies/react/turn-request';

const asks = z.strictObject({
  query: z.string().trim().min(1).max(500).describe('What to look for'),
  maxLength: z.array(z.string().min(1).max(64)).min(1).max(20).optional(),
  limit: z.number().int().min(1).max(10).default(4),
});
const tools = { describe: (name: string) => (name === 'gone' ? null : { description: name, asks }) } as never;
const offered = (finishing: boolean, names = ['pi_search']) =>
  toolSpecs({ ...controller, tools: names }, { tools }, finishing);

describe('the tools that a model is offered', () => {
  it('S4-04 S4-33 have their names and types, but no bounds and nothing that has a default, which every turn would be charged for', () => {
    const [search] = offered(false);
    expect(search!.parameters).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What to look for' },
        maxLength: { type: 'array', items: { type: 'string' } },
      },
      required: ['query'],
    });
    expect(asks.safeParse({ query: 'x'.repeat(501) }).success).toBe(false);
  });

  it('S2-42 have the schema of an outside server word for word, where one gave it', () => {
    const parameters = { type: 'object', properties: { n: { type: 'integer', default: 5, maximum: 9 } } };
    const ofServer = { describe: (name: string) => ({ description: name, asks, parameters }) } as never;
    const [tool] = toolSpecs({ ...controller, tools: ['cluster__logs'] }, { tools: ofServer }, false);
    expect(tool).toEqual({ name: 'cluster__logs', description: 'cluster__logs', parameters });
  });

  it('S4-33 finish in few words', () => {
    const [finish] = offered(true);
    expect(JSON.stringify(finish).length).toBeLessThan(1_000);
  });

  it('S4-03 are only the one that finishes when nothing else is left', () => {
    expect(offered(true).map(({ name }) => name)).toEqual(['finish']);
    expect(() => offered(false, ['gone'])).toThrow(/no tool "gone"/);
  });
});
