import type { CriterionResult, JsonObject, RunSettings } from '@casefile/contracts';
import type { DraftParts, ReasonInput } from '../../strategy.js';
import { bundleOf, criterionOf } from './case-bundle.js';
import { foundSections } from './found-sections.js';
import type { GroundSection } from './ground.js';
import { heuristicAnswer } from './heuristic.js';
import { optionsOf } from './options.js';
import { settledResult } from './settled-result.js';
import { withheldOf } from './withheld.js';

/** Checks a criterion without a model: terms, sections, requirements, facts, rule. Its citations are verified like a model's. S4-40. */
export function checkByRules(
  { brief, evidence }: ReasonInput,
  unit: string,
  settings: RunSettings,
): DraftParts {
  const bundle = bundleOf(brief);
  const criterion = criterionOf(bundle, unit);
  const { facts, policy } = bundle;
  const { reasonCode, ...answered } = heuristicAnswer({ criterion, facts, evidence });
  const { sections, related } = foundSections(evidence);
  const found = [...sections, ...related].map(({ node }): [string, GroundSection] => [node.nodeId, node]);
  // The rules cite what is there: an absence they do not claim.
  const ground = { sections: new Map(found), facts, lookUps: [] };
  const settled = settledResult(answered, ground, optionsOf(settings));
  const shown = evidence.items.map(({ result: found }) => found);
  const result: CriterionResult = {
    ...{ ...criterion, policy: { policyId: policy.policyId, version: policy.version } },
    ...settled.result,
    reasonCode: settled.reasonCode ?? reasonCode,
    ...{ strategy: 'heuristic', promptId: null, model: null, iterations: 0, trace: [] },
    ...{ tokens: { input: 0, output: 0 }, costUsd: 0 },
    ...withheldOf(settled.result, shown, new Map(found)),
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
