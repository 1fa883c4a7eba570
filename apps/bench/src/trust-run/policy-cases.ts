import type { JsonObject, ModelRequest } from '@casefile/contracts';
import type { PolicyScenario, Quote } from './read-set.js';
import {
  callsOf,
  promptTextOf,
  turnsOf,
  type LabelledClaim,
  type Reply,
  type TrustCase,
} from './trust-case.js';

type Criterion = PolicyScenario['criteria'][number];
type Facts = Criterion['variants'][number]['facts'];
interface Answer {
  status: string;
  why: string;
  quotes: readonly Quote[];
  facts: Facts;
}
type Common = Pick<TrustCase, 'id' | 'honest' | 'contradicted' | 'expected'> & { claim: LabelledClaim };

/** Returns a policy of the set as a file that can be imported. Its id is the scenario's. */
export function policyFile({ title, sections }: PolicyScenario): string {
  const parts = Object.entries(sections).map(([head, body]) => `## ${head}\n\n${body}`);
  return [`# ${title}`, ...parts].join('\n\n');
}

const DISPOSITIONS = { MET: 'dismiss', NOT_MET: 'act', UNCERTAIN: 'review' } as const;

/** Returns one criterion per case: a model reads every section and every fact, and finishes. */
export function policyCases(policies: readonly PolicyScenario[]): TrustCase[] {
  return policies.flatMap((policy) =>
    policy.criteria.flatMap((criterion, at) => casesOf(policy, criterion, at)),
  );
}

function casesOf(policy: PolicyScenario, criterion: Criterion, at: number): TrustCase[] {
  const { variants, wrong, quotes } = criterion;
  const honest = variants.map(({ facts, status, why }, place) =>
    caseOf(
      policy,
      criterion,
      { status, why, quotes, facts },
      {
        id: `${policy.id}-${at + 1}-h${place + 1}`,
        honest: true,
        contradicted: false,
        expected: [DISPOSITIONS[status]],
        claim: {
          text: why,
          label: 'supports',
          quote: quotes[0]![1],
          cited: quotes.map(([, words]) => words),
        },
      },
    ),
  );
  const dishonest = wrong.map(({ variant, status, why, quotes: cited, against, contradicted }, place) =>
    caseOf(
      policy,
      criterion,
      { status, why, quotes: cited, facts: variants[variant]!.facts },
      {
        id: `${policy.id}-${at + 1}-w${place + 1}`,
        honest: false,
        contradicted,
        expected: [],
        claim: {
          text: why,
          label: against === null ? 'not_in_it' : 'contradicts',
          quote: against?.[1] ?? '',
          cited: cited.map(([, words]) => words),
        },
      },
    ),
  );
  return [...honest, ...dishonest];
}

function caseOf(policy: PolicyScenario, criterion: Criterion, answer: Answer, common: Common): TrustCase {
  const { claim, ...rest } = common;
  const facts = Object.entries(answer.facts).map(([name, fact]) => ({
    name,
    confidence: 0.98,
    ...valueOf(fact),
  }));
  const payload = {
    policy: policy.id,
    title: `${policy.title}, ${rest.id}`,
    facts,
    criteria: [{ id: 'c1', text: criterion.text }],
    combine: { rule: 'all' },
  };
  return {
    ...rest,
    kind: 'policy-check',
    wrongWay: answer.status === 'MET' ? 'dismiss' : 'act',
    printable: true,
    conclusion: `${answer.status}: ${answer.why}`,
    alert: { playbook: 'policy-check', payload: payload as unknown as JsonObject, labels: { case: rest.id } },
    claims: [claim],
    results: {},
    reply: (request) => replyTo(request, policy, answer),
  };
}

function valueOf(fact: Facts[string]): { value: string | number; unit?: string } {
  if (typeof fact === 'string') return { value: fact };
  const [value, unit] = fact;
  return { value: /^\d+(?:\.\d+)?$/.test(value) ? Number(value) : value, unit };
}

function replyTo(request: ModelRequest, policy: PolicyScenario, answer: Answer): Reply {
  const promptText = promptTextOf(request);
  if (request.promptId.startsWith('pi-search/')) {
    const nodeIds = [...promptText.matchAll(/^\s*\[([^\]]+)\] \S/gm)].map(([, id]) => id!);
    return { content: JSON.stringify({ nodeIds: nodeIds.slice(0, 4) }) };
  }
  const turn = turnsOf(request);
  const names = Object.keys(answer.facts);
  if (turn === 0)
    return callsOf(turn, [
      ...Object.keys(policy.sections).map((head) => ({
        name: 'pi_search',
        args: { query: head.replace(/^\S+ /, ''), limit: 4 },
      })),
      ...names.map((name) => ({ name: 'facts_get', args: { name } })),
    ]);
  const nodes = new Map(
    [...promptText.matchAll(/^\[([^\]]+)\] (\S+)/gm)].map(([, id, key]) => [key!, id!] as const),
  );
  const quotes = answer.quotes.map(([section, quote]) => ({
    kind: 'quote',
    nodeId: nodes.get(section) ?? section,
    quote,
  }));
  const facts = names.map((name) => ({ kind: 'fact', fact: `${name}#1`, ...valueOf(answer.facts[name]!) }));
  const args = {
    status: answer.status,
    confidence: 0.93,
    rationale: answer.why,
    citations: [...quotes, ...facts],
  };
  return callsOf(turn, [{ name: 'finish', args: args as unknown as JsonObject }]);
}
