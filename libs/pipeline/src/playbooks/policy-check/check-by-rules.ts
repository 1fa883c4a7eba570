import { z, type CriterionResult, type Draft, type Evidence, type JsonObject } from '@casefile/contracts';
import type { LookUp } from '../../citations/index.js';
import type { ReasonInput } from '../../strategy.js';
import { bundleOf, criterionOf } from './case-bundle.js';
import type { GroundSection } from './ground.js';
import { heuristicAnswer } from './heuristic.js';
import { optionsSchema } from './options.js';
import { settledResult } from './settled-result.js';

const SEARCH = 'sections_search';
const pages = z.object({ from: z.number(), to: z.number() }).nullable();
const searchSchema = z.object({
  found: z.number(),
  nodes: z.array(z.object({ nodeId: z.string(), title: z.string(), pages, text: z.string() })),
});
const RULES = optionsSchema.parse({});

/** Checks a criterion without a model: terms, sections, requirements, facts, rule. Its citations are verified like a model's. S4-40. */
export function checkByRules(
  { brief, evidence }: ReasonInput,
  unit: string,
): Omit<Draft, 'strategy' | 'promptId'> {
  const bundle = bundleOf(brief);
  const criterion = criterionOf(bundle, unit);
  const { facts, policy } = bundle;
  const { reasonCode, ...answered } = heuristicAnswer({ criterion, facts, evidence });
  const ground = { sections: sectionsIn(evidence), facts, lookUps: lookUpsIn(evidence) };
  const settled = settledResult(answered, ground, RULES);
  const result: CriterionResult = {
    ...{ ...criterion, policy: { policyId: policy.policyId, version: policy.version } },
    ...settled.result,
    reasonCode: settled.reasonCode ?? reasonCode,
    ...{ strategy: 'heuristic', promptId: null, model: null, iterations: 0, trace: [] },
    ...{ tokens: { input: 0, output: 0 }, costUsd: 0 },
  };
  return {
    answer: result as unknown as JsonObject,
    explanation: result.rationale,
    claims: [],
    evidenceUsed: evidence.items.map(({ id }) => id),
    confidence: result.confidence,
    confidenceSource: 'heuristic',
    method: 'heuristic',
    remarks: [],
  };
}

function sectionsIn({ items }: Evidence): Map<string, GroundSection> {
  const nodes = items.flatMap(({ toolName, result }) =>
    toolName === SEARCH ? (searchSchema.safeParse(result).data?.nodes ?? []) : [],
  );
  return new Map(nodes.map((node) => [node.nodeId, node]));
}

function lookUpsIn({ items }: Evidence): LookUp[] {
  return items.flatMap(({ toolName, entityValue, success, result }) => {
    if (toolName !== SEARCH) return [];
    const found = searchSchema.safeParse(result);
    return [
      {
        of: 'policy',
        asked: entityValue,
        succeeded: success && found.success,
        found: found.data?.found ?? 0,
      },
    ];
  });
}
