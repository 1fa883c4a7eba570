import { readFileSync } from 'node:fs';
import { PAGES, QUESTION, researchModel } from './testing/research-model.js';
import { inlineWorld } from './testing/world.js';

/** A JSON schema as far as this consumer understands it. */
interface Schema {
  type?: string;
  const?: unknown;
  enum?: unknown[];
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: boolean;
  minItems?: number;
  minLength?: number;
  minimum?: number;
  maximum?: number;
}

const schema = JSON.parse(
  readFileSync(new URL('../../../docs/schemas/item.json', import.meta.url), 'utf8'),
) as Schema;

/**
 * A consumer that knows the published schema and nothing else of Casefile: it makes a reader of it, field by field, and
 * refuses what the schema does not say.
 */
function reader({ type, properties = {}, items, ...rules }: Schema, at = '$'): (value: unknown) => unknown {
  const wrong = (what: string): never => {
    throw new Error(`${at}: ${what}`);
  };
  const fields = Object.entries(properties).map(([name, of]) => [name, reader(of, `${at}.${name}`)] as const);
  const each = items === undefined ? null : reader(items, `${at}[]`);
  return (value) => {
    if ('const' in rules && value !== rules.const) return wrong(`expected ${String(rules.const)}`);
    if (rules.enum !== undefined && !rules.enum.includes(value)) return wrong('a value that is not listed');
    if (type === 'string')
      return typeof value === 'string' && value.length >= (rules.minLength ?? 0) ? value : wrong('no text');
    if (type === 'integer') {
      const { minimum = -Infinity, maximum = Infinity } = rules;
      const isIn = Number.isInteger(value) && (value as number) >= minimum && (value as number) <= maximum;
      return isIn ? value : wrong('no such number');
    }
    if (type === 'array') {
      if (!Array.isArray(value) || value.length < (rules.minItems ?? 0)) return wrong('no list');
      return each === null ? value : value.map((one) => each(one));
    }
    if (type !== 'object') return value;
    if (typeof value !== 'object' || value === null) return wrong('no object');
    const fieldValues = value as Record<string, unknown>;
    const missing = rules.required?.find((name) => !(name in fieldValues));
    if (missing !== undefined) return wrong(`${missing} is missing`);
    const unknown = Object.keys(fieldValues).find((name) => !(name in properties));
    if (rules.additionalProperties === false && unknown !== undefined) return wrong(`${unknown} is unknown`);
    return Object.fromEntries(
      fields.flatMap(([name, read]) => (name in fieldValues ? [[name, read(fieldValues[name])]] : [])),
    );
  };
}

interface Read {
  name: string;
  score: number;
  description: string;
  schema_object?: { iterations: number; confidence: string; sources_used: string[] };
}

describe('a consumer written from item.json alone', () => {
  const read = reader(schema) as (items: unknown) => Read[];
  const researched = async (payload: object, model: ReturnType<typeof researchModel> | null) => {
    const world = await inlineWorld(model);
    try {
      const { caseId } = await world.accept({ playbook: 'research', payload });
      return (await world.ended(caseId)).runs[0]?.verdict?.outcome['items'];
    } finally {
      await world.close();
    }
  };

  it('S5-30 reads a report, one without a model, and one that went wrong', async () => {
    const payload = { ...QUESTION, items: [...QUESTION.items, ...PAGES] };
    const [report] = read(await researched(payload, researchModel()));
    expect(report).toMatchObject({
      name: `深度研究報告：${QUESTION.query}`,
      score: 100,
      schema_object: { iterations: 3, confidence: 'Medium' },
    });
    expect(report!.schema_object!.sources_used.every((url) => report!.description.includes(url))).toBe(true);
    expect(read(await researched(payload, null))[0]!.description).toContain('4月起平均電價調漲3.1%。');
    const strange = [{ ...QUESTION.items[0], url: 'https://nobody.example/1', site: '某部落格' }];
    const [gone] = read(await researched({ ...QUESTION, sourceMode: 'strict', items: strange }, null));
    expect(gone).toMatchObject({ score: 0, description: expect.stringContaining('NoValidSourcesError') });
  });

  it('S5-30 refuses what the schema does not say', () => {
    const item = { '@type': 'Item', url: 'u', name: '', site: '', siteUrl: '', score: 1, description: '' };
    expect(read([item])).toEqual([item]);
    for (const bad of [[], [{ ...item, score: 101 }], [{ ...item, more: 1 }], [{ ...item, '@type': 'x' }]])
      expect(() => read(bad)).toThrow();
  });
});
