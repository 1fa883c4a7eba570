import {
  CasefileError,
  citableFacts,
  factName,
  z,
  type CitableFact,
  type Fact,
  type Json,
  type JsonObject,
  type PolicySection,
  reasonCodeOf,
} from '@casefile/contracts';
import type { ReasonInput } from '@casefile/pipeline/strategy';
import { aBrief, evidenceOf } from '@casefile/pipeline/testing/scam-builders';
import type { WorldTool } from '@casefile/pipeline/testing/turn-world';

/** Sections that the tools of this world find. */
const SECTIONS: Pick<PolicySection, 'nodeId' | 'title' | 'text' | 'pages' | 'confidential'>[] = [
  {
    nodeId: '0002',
    title: '4.1 Notice of household claims',
    pages: { from: 3, to: 3 },
    text: 'A household claim must be notified to us within 30 days of the loss date. A later notice is refused.',
  },
  {
    nodeId: '0003',
    title: '4.2 Notice of travel claims',
    pages: { from: 4, to: 4 },
    text: 'A travel claim must be notified within 21 days of the return.',
  },
  {
    nodeId: '0004',
    title: '16.2 What follows',
    pages: null,
    confidential: true,
    text: 'Two or more indicators send the claim to Special Review.',
  },
];
const FACTS: Fact[] = [
  { name: 'loss_date', value: '2026-04-02', confidence: 0.97, document: 'form.pdf', page: 1 },
  { name: 'notified_on', value: '2026-04-20', confidence: 0.98, document: 'form.pdf', page: 1 },
];

/** A case of two criteria, as the reasoner gets it. */
export function aPolicyInput(over: JsonObject = {}): ReasonInput {
  const input = {
    policy: { policyId: 'claims', version: 2, title: 'Claims', language: 'en' },
    title: 'Burst hose',
    facts: citableFacts(FACTS),
    criteria: [
      { id: 'c1', text: 'Was the claim notified in time?' },
      { id: 'c2', text: 'Is the excess right?' },
    ],
    combine: { rule: 'all' },
    ...over,
  };
  return {
    brief: aBrief({ input: input as unknown as JsonObject }),
    evidence: evidenceOf(),
    previous: {},
  };
}

const query = z.string().min(1);
const limit = z.number().int().min(1).default(4);
const json = (value: unknown): Json => value as Json;
const among = (nodeIds: Json | undefined) =>
  SECTIONS.filter(({ nodeId }) => (nodeIds as string[]).includes(nodeId));

/** The tools of policy-check over a small policy and the facts of the case; `broken` ones fail with this code. */
export function policyTools(broken: Record<string, string> = {}): Record<string, WorldTool> {
  const tools: Record<string, WorldTool> = {
    pi_search: {
      asks: z.strictObject({ query, limit }),
      locality: 'remote',
      answer(args) {
        const words = String(args['query']).toLowerCase();
        const nodes = SECTIONS.filter(({ title, text }) => `${title} ${text}`.toLowerCase().includes(words));
        return json({ found: nodes.length, nodes });
      },
    },
    facts_get: { asks: z.strictObject({ name: query }), answer: readingsOf },
    spans_tighten: {
      asks: z.strictObject({ nodeIds: z.array(z.string()).min(1), query, limit }),
      answer({ nodeIds }) {
        const spans = among(nodeIds).map(({ text, ...section }) => ({
          ...section,
          text: text.split('. ')[0],
        }));
        return json({ found: spans.length, spans, unknownNodes: [] });
      },
    },
    sections_get: {
      asks: z.strictObject({ nodeIds: z.array(z.string()) }),
      answer: ({ nodeIds }) => json({ sections: among(nodeIds) }),
    },
  };
  for (const [name, code] of Object.entries(broken))
    tools[name] = {
      ...tools[name]!,
      answer: () => new CasefileError(reasonCodeOf(code), 'it did not come off'),
    };
  return tools;
}

function readingsOf({ name, facts }: JsonObject): Json {
  const asked = factName(String(name));
  const readings = (facts as unknown as CitableFact[]).filter((fact) => factName(fact.name) === asked);
  const shown = readings.map(({ id, unit, document, page, ...fact }) => ({
    ...fact,
    factId: id,
    unit: unit ?? null,
    document: document ?? null,
    page: page ?? null,
  }));
  return json({ name, found: shown.length, readings: shown, known: FACTS.map((fact) => fact.name) });
}
