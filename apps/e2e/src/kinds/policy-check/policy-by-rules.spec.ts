import { readFileSync } from 'node:fs';
import {
  citableFacts,
  CRITERION_STATUSES,
  factSchema,
  silentLogger,
  z,
  type Evidence,
  type JsonObject,
} from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createTools } from '@casefile/evidence';
import { openKnowledge, parseDocument } from '@casefile/knowledge';
import { silentPorts } from '@casefile/knowledge/testing';
import { testRecord } from '@casefile/store/testing';
import { heuristicAnswer } from '@casefile/policy-check/rules/check-by-rules';
import { textQuery } from '@casefile/policy-check/rules/content-words';
import { verifyCitations } from '@casefile/policy-check/citations/verify-citations';

const record = testRecord();
const samples = new URL('../../../../../samples/', import.meta.url);
const status = z.enum(CRITERION_STATUSES);
const cases = z
  .array(
    z.object({
      id: z.string(),
      facts: z.array(factSchema),
      criteria: z.array(z.object({ id: z.string(), text: z.string() })),
      expected: z.object({ criteria: z.array(z.object({ id: z.string(), status })) }),
    }),
  )
  .parse(JSON.parse(readFileSync(new URL('policy-cases.json', samples), 'utf8')));

const sectionSchema = z.looseObject({
  nodeId: z.string(),
  title: z.string(),
  text: z.string(),
  path: z.array(z.string()),
  pages: z.null(),
  lines: z.any(),
});
const searchResultSchema = z.object({ nodes: z.array(sectionSchema), related: z.array(sectionSchema) });

/** The sample criteria, each answered by rules over what a search by words finds in the sample policy. */
async function answersWith(limit: number) {
  const { policies, scamReports } = openKnowledge(record().store.database, silentPorts());
  const bytes = readFileSync(new URL('policies/claims-handling.md', samples));
  const parsed = await parseDocument({ name: 'claims-handling.md', bytes });
  const { policyId, version } = await policies.importPolicy({
    ...parsed,
    policyId: 'claims',
    language: 'en',
  });
  const nowhere = { baseUrl: 'http://127.0.0.1:1' };
  const tools = createTools({ exa: nowhere, virusTotal: nowhere, rdap: {} }, { scamReports, policies });
  const search = tools.find(({ name }) => name === 'sections_search')!;
  const context = { signal: new AbortController().signal, clock: manualClock(), log: silentLogger };
  const criteria = cases.flatMap(({ id, facts, criteria: questions, expected }) =>
    questions.map((criterion) => ({
      name: `${id} ${criterion.id}`,
      criterion,
      facts: citableFacts(facts),
      expected: expected.criteria.find((one) => one.id === criterion.id)?.status,
    })),
  );
  return Promise.all(
    criteria.map(async ({ criterion, facts, ...rest }) => {
      const query = textQuery(criterion.text);
      const { result } = await search.run({ policyId, version, query, limit, related: true }, context);
      const evidence = evidenceOf(query, result as JsonObject);
      const answer = heuristicAnswer({ criterion, facts, evidence, language: 'en' });
      const shown = searchResultSchema.parse(result);
      const sections = new Map([...shown.nodes, ...shown.related].map((one) => [one.nodeId, one]));
      const ground = { sections, facts, lookUps: [] };
      const { refuted } = verifyCitations(answer.citations, ground);
      return { ...rest, ...answer, refuted };
    }),
  );
}

function evidenceOf(query: string, result: JsonObject): Evidence {
  const item = {
    toolName: 'sections_search',
    entityType: '',
    entityValue: query,
    success: true,
    source: '',
  };
  return { items: [{ ...item, id: 'E1', result, at: '2026-01-05T10:00:00.000Z', durationMs: 0 }] };
}

describe.each([4, 6, 10])('the sample criteria by rules, with %i sections looked at', (limit) => {
  it('S4-40 S4-21 decides nothing wrongly, and cites what stands there', async () => {
    const answers = await answersWith(limit);
    expect(answers).toHaveLength(32);
    expect(answers.filter((one) => one.status !== 'UNCERTAIN' && one.status !== one.expected)).toEqual([]);
    expect(answers.flatMap(({ refuted }) => refuted)).toEqual([]);
  });

  it('S4-40 decides what is plain', async () => {
    const answers = await answersWith(limit);
    const decided = answers.filter((one) => one.status !== 'UNCERTAIN');
    expect(decided.map(({ name, status: said }) => `${name} ${said}`)).toEqual([
      'pc-01 notice MET',
      'pc-02 notice MET',
      'pc-06 documents MET',
    ]);
    expect(answers.filter((one) => one.status === one.expected)).toHaveLength(11);
  });
});
