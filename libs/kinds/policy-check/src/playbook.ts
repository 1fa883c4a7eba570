import {
  CasefileError,
  z,
  type Alert,
  type JsonObject,
  type ToolRequest,
  reasonCodeOf,
} from '@casefile/contracts';
import { comparing } from '@casefile/pipeline/claims/comparing';
import { contradicting } from '@casefile/pipeline/parts/contradicting';
import { crossExamining } from '@casefile/pipeline/parts/cross-examining';
import { fromPayload, type PreparedPayload } from '@casefile/pipeline/parts/from-payload';
import { matching, neverRepeated } from '@casefile/pipeline/parts/intake';
import { lookUps, toolWaitOf, type PlanInput } from '@casefile/pipeline/parts/look-ups';
import { definePlaybook } from '@casefile/pipeline/playbook';
import { combineCriteria } from './decide.js';
import { typedClaims } from './claims/typed-claims.js';
import { contradictions } from './contradictions.js';
import { examination } from './examine.js';
import { verifiedCitations } from './review.js';
import { byRules } from '@casefile/pipeline/strategies/one-answer';
import { react } from '@casefile/pipeline/strategies/react/index';
import type { StagePorts } from '@casefile/pipeline/stage-ports';
import {
  bundleProblems,
  checkedBundle,
  bundleCriterion,
  bundleOf,
  looksLikeBundle,
  readBundle,
} from './case-bundle.js';
import { checkByRules } from './rules/check-by-rules.js';
import { controller } from './model/controller.js';
import { textQuery } from './rules/content-words.js';
import { measures } from './measures.js';
import { options } from './options.js';
import { outwardVerdict } from './outward.js';
import { writeReport } from './write.js';
import { presenting } from './present.js';

/** Judges a criterion without a model. */
export const rules = { answer: checkByRules };
const VERSION_STEP = 1;
/** Number of sections that the rules read. */
const SECTIONS_LOOKED_AT = 6;
const versionSchema = z.object({ version: z.number(), title: z.string(), language: z.string() });

/**
 * Checks whether a case meets the criteria of a policy. Each criterion is a separate unit, and its citations
 * are verified.
 */
export const policyCheck = definePlaybook({
  name: 'policy-check',
  version: '10',
  intake: {
    claims: matching('Its payload is a case with criteria.', ({ payload }) => looksLikeBundle(payload)),
    problems: ({ payload }) => bundleProblems(payload),
    repeats: neverRepeated,
    entrances: [],
  },
  triage: fromPayload(prepare),
  tools: ['policy_get', 'sections_search', 'sections_get', 'pi_search', 'facts_get', 'spans_tighten'],
  collect: lookUps({ plan: sectionsForRules, waitMs: toolWaitOf(options) }),
  strategy: 'react',
  strategies: {
    react: { ...react(controller, rules, options), measures },
    heuristic: byRules('heuristic', rules),
  },
  thinking: 'as-provider',
  maxRounds: 1,
  onOutage: 'later',
  critique: crossExamining(
    examination,
    contradicting(contradictions, comparing(typedClaims, verifiedCitations)),
  ),
  write: (units, { run }) => writeReport(units, run.settings),
  decision: combineCriteria,
  outward: (verdict) => ({ effects: [], verdict: () => outwardVerdict(verdict) }),
  presenting,
  options,
});

/** Reads the bundle and fixes the version of its policy for the whole run. */
async function prepare({ payload }: Alert, { tools }: StagePorts): Promise<PreparedPayload> {
  const bundle = readBundle(payload);
  const { policy: policyId, policyVersion } = bundle;
  const args = { policyId, ...(policyVersion === undefined ? {} : { version: policyVersion }) };
  const [call] = await tools.inline(VERSION_STEP, [{ tool: 'policy_get', args }]);
  if (call?.state !== 'succeeded') {
    const reason = reasonCodeOf(call?.reasonCode ?? 'unknown_policy');
    throw new CasefileError(reason, `payload.policy: ${call?.message ?? `there is no policy ${policyId}`}`, {
      // A person must import the policy first. A redrive then continues at this stage.
      retryable: reason !== 'unknown_policy',
    });
  }
  const found = versionSchema.parse(call.result);
  const checked = checkedBundle(bundle, { policyId, ...found });
  const lines = [bundle.title ?? policyId, ...bundle.criteria.map(({ id, text }) => `${id}: ${text}`)];
  return {
    text: lines.join('\n'),
    input: checked as unknown as JsonObject,
    units: bundle.criteria.map(({ id }) => id),
  };
}

// Rules judge by these sections, and the result of a model is compared with theirs. This takes one look-up by words.
export function sectionsForRules({ brief, unit }: PlanInput): ToolRequest[] {
  const bundle = bundleOf(brief);
  const { policyId, version } = bundle.policy;
  const query = textQuery(bundleCriterion(bundle, unit).text);
  if (query === '') return [];
  const args = { policyId, version, query, limit: SECTIONS_LOOKED_AT, related: true };
  return [{ tool: 'sections_search', args }];
}
