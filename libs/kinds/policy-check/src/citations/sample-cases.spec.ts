import { readFileSync } from 'node:fs';
import { citableFacts, CRITERION_STATUSES, factName, factSchema, z, type Fact } from '@casefile/contracts';
import { combinedStatus, verifyCitations } from './verify-citations.js';

const samples = new URL('../../../../../samples/', import.meta.url);
const status = z.enum(CRITERION_STATUSES);
const cases = z
  .array(
    z.object({
      id: z.string(),
      facts: z.array(factSchema),
      combine: z.union([
        z.object({ rule: z.enum(['all', 'any']) }),
        z.object({ rule: z.literal('n-of-m'), n: z.number() }),
      ]),
      expected: z.object({
        status,
        criteria: z.array(
          z.object({
            status,
            citations: z.array(z.object({ section: z.string(), quote: z.string() })),
            facts: z.array(z.string()),
          }),
        ),
      }),
    }),
  )
  .parse(JSON.parse(readFileSync(new URL('policy-cases.json', samples), 'utf8')));
const sections = new Map(
  readFileSync(new URL('policies/claims-handling.md', samples), 'utf8')
    .split(/^#{2,3} /m)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n');
      return [title.trim(), { title, text: lines.join('\n'), pages: null }] as const;
    }),
);

describe.each(cases)('the sample case $id', ({ facts, combine, expected }) => {
  it('S4-21 cites what stands in its policy and in its facts', () => {
    for (const criterion of expected.criteria) {
      const quotes = criterion.citations.map(
        ({ section, quote }) => ({ kind: 'quote', nodeId: section, quote }) as const,
      );
      const valueOf = (name: string): Fact['value'] =>
        facts.find((fact) => factName(fact.name) === name)?.value ?? 'missing';
      const claims = criterion.facts.map(
        (name) => ({ kind: 'fact', fact: name, value: valueOf(name) }) as const,
      );
      const checked = verifyCitations([...quotes, ...claims], {
        sections,
        facts: citableFacts(facts),
        lookUps: [],
      });
      expect(checked.refuted).toEqual([]);
    }
  });

  it('S4-23 has the expected status', () => {
    const statuses = expected.criteria.map((criterion) => criterion.status);
    expect(combinedStatus(statuses, combine)).toBe(expected.status);
  });
});
