import {
  whyNoAnswer,
  type CriterionResult,
  type JsonObject,
  CRITERION_STATUSES,
  z,
  type Citation,
} from '@casefile/contracts';
import { onScale } from '@casefile/pipeline/answers/fit-to-schema';
import type { CitationFinding } from '../citations/verify-citations.js';
import type { LoopEnd } from '@casefile/pipeline/strategies/react/controller';
import type { StagePorts } from '@casefile/pipeline/stage-ports';
import type { DraftParts, ReasonInput } from '@casefile/pipeline/strategy';
import { bundleOf, bundleCriterion, type CheckedBundle } from '../case-bundle.js';
import { checkByRules } from '../rules/check-by-rules.js';
import { sectionGround, toolCallLookUp, citationSections, settledResult, withheldOf } from '../result.js';
import { options } from '../options.js';
import { keptSections, type ReadSections } from '../read-sections.js';
import { reactPrompt } from './react-prompt.js';

type CheckEnd = LoopEnd<FinishAnswer>;

/**
 * Compares the model's answer with policy, facts and look-ups, and makes a draft from what is verified (S4-20
 * to S4-22).
 */
export async function settle(end: CheckEnd, input: ReasonInput, ports: StagePorts): Promise<DraftParts> {
  const bundle = bundleOf(input.brief);
  const { finished } = end;
  if (finished === null) return undecidedEnd(end, bundle, input, ports);
  const figures = options.read(ports.run.settings.options);
  const citations = finishAnswerCitations(finished);
  // The turn number is beyond those of the loop and of the forced answer, so that no step is used twice.
  const sections = await citationSections(citations, end.calls, bundle, ports, figures.maxIterations + 2);
  const ground = sectionGround(sections, bundle.facts, end.calls);
  const { result, reasonCode, findings } = settledResult({ ...finished, citations }, ground, figures);
  const why = result.status === 'UNCERTAIN' ? (reasonCode ?? whyUncertain(end, findings)) : null;
  const withheld = withheldOf(result, foundBy(end), sections);
  const base = endBase(end, bundle, ports);
  const kept = keptSections(citations, sections);
  return resultDraft({ ...base, ...result, ...withheld, reasonCode: why, sections: kept }, end.remarks);
}

const foundBy = ({ calls }: CheckEnd) => calls.map(({ result }) => result);

/** Returns why a check that ended decided nothing. */
function whyUncertain({ calls, reasonCode }: CheckEnd, findings: readonly CitationFinding[]): string {
  if (reasonCode !== null) return reasonCode;
  if (calls.some((call) => call.reasonCode?.endsWith('timeout') === true)) return 'tool_timeout';
  const searches = calls.flatMap(toolCallLookUp).filter(({ of, succeeded }) => of === 'policy' && succeeded);
  if (searches.length > 0 && searches.every(({ found }) => found === 0)) return 'no_relevant_nodes';
  const quoted = findings.some(({ citation, problem }) => citation.kind === 'quote' && problem === null);
  return quoted ? 'missing_evidence' : 'insufficient_policy_context';
}

/** Codes for failures of the model. Reaching a limit is not a failure. */
const MODEL_FAILED = new Set(['llm_error', 'rate_limit_exceeded', 'refused', 'invalid_schema']);

// Without an answer the criterion stays undecided. After a failure of the model, the rules judge if the
// options allow it. `reasonCode` is the code of S4-31, and `fallbackReason` of the draft is the failure.
function undecidedEnd(
  end: CheckEnd,
  bundle: CheckedBundle,
  input: ReasonInput,
  ports: StagePorts,
): DraftParts {
  const { run } = ports;
  const why = end.reasonCode ?? 'llm_error';
  // The verdict shows the real cause. The criterion shows the general code of S4-31.
  const fallbackReason = end.cause ?? why;
  const base = endBase(end, bundle, ports);
  if (options.read(run.settings.options).fallback === 'heuristic' && MODEL_FAILED.has(why)) {
    const draft = checkByRules(input, run.unit, run.settings);
    const looked = input.evidence.items.map(({ result }) => result);
    const answer = {
      ...draft.answer,
      ...(criterionResultCosts(base) as unknown as JsonObject),
      reasonCode: 'llm_fallback',
      ...withheldOf({ rationale: draft.explanation }, [...foundBy(end), ...looked]),
    };
    return { ...draft, answer, fallbackReason, remarks: [...draft.remarks, ...end.remarks] };
  }
  const rationale = `The check did not come to an end: ${whyNoAnswer(fallbackReason)}. Nothing is decided.`;
  const nothing = { status: 'UNCERTAIN' as const, confidence: 0, citations: [], refuted: [], claimed: null };
  return {
    ...resultDraft(
      { ...base, ...nothing, rationale, ...withheldOf({ rationale }, foundBy(end)), reasonCode: why },
      end.remarks,
    ),
    // If no model call was answered, the result is not attributed to a model.
    ...(end.iterations === 0 ? { method: 'heuristic', confidenceSource: 'heuristic' } : {}),
    fallbackReason,
  };
}

type Base = Pick<CriterionResult, 'id' | 'text' | 'policy' | 'strategy'> &
  ReturnType<typeof criterionResultCosts>;

function endBase(
  end: CheckEnd,
  bundle: CheckedBundle,
  { run: { unit, settings }, prompts }: StagePorts,
): Base {
  const { model, iterations, trace, spent } = end;
  const { policyId, version } = bundle.policy;
  return {
    ...bundleCriterion(bundle, unit),
    policy: { policyId, version },
    strategy: settings.strategy,
    promptId: prompts.of(reactPrompt).id,
    model,
    iterations,
    trace,
    tokens: spent.tokens,
    costUsd: spent.costUsd,
  };
}

// Costs without a result are recorded too.
function criterionResultCosts({
  promptId,
  model,
  iterations,
  trace,
  tokens,
  costUsd,
}: Pick<CriterionResult, 'promptId' | 'model' | 'iterations' | 'trace' | 'tokens' | 'costUsd'>) {
  return { promptId, model, iterations, trace, tokens, costUsd };
}

function resultDraft(result: CriterionResult & Partial<ReadSections>, remarks: string[]): DraftParts {
  return {
    answer: result as unknown as JsonObject,
    explanation: result.rationale,
    claims: [],
    evidenceUsed: [],
    confidence: result.confidence,
    confidenceSource: 'llm',
    method: 'llm',
    remarks,
  };
}

const MOST_CITATIONS = 20;

// Models write null for omitted fields and add unknown keys. Both are accepted.
const quote = z.object({
  kind: z.literal('quote'),
  nodeId: z.string().trim().min(1).max(64),
  quote: z.string().min(1).max(4_000),
  page: z.number().int().min(1).nullish(),
});
const fact = z.object({
  kind: z.literal('fact'),
  fact: z.string().min(1).max(200),
  value: z.union([z.string().max(20_000), z.number(), z.boolean()]),
  unit: z.string().max(40).nullish(),
});
const absence = z.object({
  kind: z.literal('absence'),
  of: z.enum(['fact', 'policy']),
  asked: z.string().min(1).max(2_000),
});

/** Schema of the arguments of `finish`. */
export const finishSchema = z.object({
  status: z.enum(CRITERION_STATUSES),
  confidence: z.number().min(0).max(1).meta(onScale(1)),
  rationale: z.string().trim().min(1).max(4_000),
  citations: z.array(z.discriminatedUnion('kind', [quote, fact, absence])).max(MOST_CITATIONS),
});
type FinishAnswer = z.infer<typeof finishSchema>;

/** Returns the citations of the answer, without omitted parts. */
function finishAnswerCitations({ citations }: Pick<FinishAnswer, 'citations'>): Citation[] {
  return citations.map((citation): Citation => {
    if (citation.kind === 'absence') return citation;
    if (citation.kind === 'quote') {
      const { page, ...rest } = citation;
      return page === null || page === undefined ? rest : { ...rest, page };
    }
    const { unit, ...rest } = citation;
    return unit === null || unit === undefined ? rest : { ...rest, unit };
  });
}

const text = { type: 'string' };

/**
 * The same as JSON Schema for the model, in few words, because every turn is charged for them. The
 * description states what each kind of citation needs. The answer is checked by `finishSchema`.
 */
export const finishParameters: JsonObject = {
  type: 'object',
  properties: {
    status: { type: 'string', enum: [...CRITERION_STATUSES] },
    confidence: { type: 'number' },
    rationale: { type: 'string', description: 'For a reader who must defend it' },
    citations: {
      type: 'array',
      description:
        'quote: nodeId, quote (exact words), page if shown. fact: fact (its id), value, unit as read. absence (looked up in vain): of, asked as you wrote it',
      items: {
        type: 'object',
        properties: {
          kind: { type: 'string', enum: ['quote', 'fact', 'absence'] },
          nodeId: text,
          quote: text,
          page: { type: 'integer' },
          fact: text,
          value: { type: ['string', 'number', 'boolean'] },
          unit: text,
          of: { type: 'string', enum: ['fact', 'policy'] },
          asked: text,
        },
        required: ['kind'],
      },
    },
  },
  required: ['status', 'confidence', 'rationale', 'citations'],
};
