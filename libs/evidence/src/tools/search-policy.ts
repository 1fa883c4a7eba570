import {
  z,
  type PolicyDocuments,
  type Tool,
  type ToolContext,
  type ToolModel,
  UnusableAnswer,
  type ModelResponse,
} from '@casefile/contracts';
import { OWN_LOOK_UP, toolLimits, type EvidenceSettings } from '../settings.js';
import { sectionNode, neededPolicies, policyArgs, searchAsks } from '../policy/policy-args.js';
import { searchPolicyTree } from '../policy/search-policy-tree.js';
import type { ChooseSections } from '../policy/walk-by-model.js';

/** Asks a model the questions of one search. `deadlineAt` is in milliseconds since the epoch. */
export type AskForSections = (model: ToolModel, deadlineAt: number) => ChooseSections;

const NAME = 'pi_search';
/**
 * Share of a try's time for the model. The rest is for the choice by keywords if the model does not answer.
 */
const SHARE_OF_MODEL = 0.75;
const asks = z.strictObject(searchAsks);
const args = asks.extend({ ...policyArgs, by: z.enum(['model', 'keywords']).optional() });

/**
 * The sections of a policy that may answer a question. Result `{ policyId, version, found, nodes: [{ nodeId,
 * title, path, pages, lines, text, cut }], by, fallbackReason, steps, usage: { inputTokens, outputTokens,
 * costUsd } }`. No section is an answer, not a failure. A model leads if the run has one; `by` (not offered
 * to models) overrides this. `fallbackReason` states why keywords chose in place of a model. `usage` is the
 * cost of this search; its `costUsd` is null if a price is unknown.
 */
export function searchPolicy(
  settings: Pick<EvidenceSettings, 'limits'>,
  policies: PolicyDocuments | undefined,
  askForSections?: AskForSections,
): Tool {
  const limits = toolLimits(NAME, OWN_LOOK_UP, settings);
  return {
    name: NAME,
    description: 'Finds sections of the policy by words that it would use.',
    locality: 'remote',
    reads: 'database',
    entityTypes: [],
    args,
    asks,
    limits,
    async run(input, context) {
      const { query, limit, by, ...policy } = args.parse(input);
      const lead = by === 'keywords' ? null : toolContextLead(context, limits.timeoutMs, askForSections);
      const question = { policy, query, limit };
      const store = neededPolicies(policies);
      const matches = await searchPolicyTree(store, question, context.signal, lead?.choose);
      const missing = by === 'model' && lead === null ? 'no_provider' : null;
      return {
        result: {
          ...policy,
          found: matches.sections.length,
          nodes: matches.sections.map(sectionNode),
          by: matches.by,
          fallbackReason: matches.fallbackReason ?? missing,
          usage: { ...(lead?.usage() ?? NOTHING) },
          steps: matches.steps.map((step) => ({ ...step })),
        },
        source: `policy ${policy.policyId} version ${policy.version}`,
      };
    },
  };
}

const NOTHING = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

function toolContextLead({ model, clock }: ToolContext, timeoutMs: number, askForSections?: AskForSections) {
  if (model?.available !== true || askForSections === undefined) return null;
  const counting = countingModel(model);
  const deadlineAt = clock.now() + timeoutMs * SHARE_OF_MODEL;
  return { choose: askForSections(counting.model, deadlineAt), usage: counting.usage };
}

/** Tokens and cost paid to models. */
interface ModelSpending {
  inputTokens: number;
  outputTokens: number;
  /** US dollars at list price; null: the price of a call is not known. */
  costUsd: number | null;
}

/** Wraps a model and counts the usage of all its answers, including unusable ones. */
function countingModel(model: ToolModel): { model: ToolModel; usage(): ModelSpending } {
  const spent: ModelSpending = { inputTokens: 0, outputTokens: 0, costUsd: 0 };
  const count = ({ usage, costUsd }: ModelResponse): void => {
    spent.inputTokens += usage.inputTokens;
    spent.outputTokens += usage.outputTokens;
    spent.costUsd = spent.costUsd === null || costUsd === null ? null : spent.costUsd + costUsd;
  };
  return {
    usage: () => ({ ...spent }),
    model: {
      available: model.available,
      seed: model.seed,
      call: async (step, request, deadlineAt) => {
        try {
          const response = await model.call(step, request, deadlineAt);
          count(response);
          return response;
        } catch (thrown) {
          if (thrown instanceof UnusableAnswer) count(thrown.response);
          throw thrown;
        }
      },
    },
  };
}
