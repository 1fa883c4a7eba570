import {
  asCasefileError,
  reasonInWords,
  RISKS,
  z,
  type JsonObject,
  type JudgedCause,
  type Later,
  type Question,
} from '@casefile/contracts';
import { ask, markRetry, schemaText } from '@casefile/pipeline/ask';
import { fencedText } from '@casefile/pipeline/fence';
import { onScale } from '@casefile/pipeline/answers/fit-to-schema';
import { readObject } from '@casefile/pipeline/answers/read-object';
import { plainText } from '@casefile/pipeline/plain-text';
import { type PromptTexts } from '@casefile/pipeline/prompts/prompt';
import type { StagePorts } from '@casefile/pipeline/stage-ports';
import type { LoopEnd } from '@casefile/pipeline/strategies/react/controller';
import { afterModelFailure } from '@casefile/pipeline/strategies/react/spending';
import type { DraftParts, ReasonInput } from '@casefile/pipeline/strategy';
import { judgeCauses } from '../causes/judge-causes.js';
import { rivalsIn, statementsIn } from '../causes/stated.js';
import { lookUpsOf, type Read } from '../look-ups.js';
import { options } from '../options.js';
import { answeredDraft, type Analysis } from '../result.js';
import { judgeByRules } from '../rules/judge-by-rules.js';
import { incidentIn, runbookIn } from '../runbook.js';
import { finalAnalysis } from './prompts.js';
import { shownReads } from './show.js';

type InvestigationEnd = LoopEnd<{ reason: string }>;

/**
 * Steps in the journal of the concluding question and its repair. They are separate from the steps of turns.
 */
const STEPS = [20_001, 20_002] as const;
const MAX_OUTPUT_TOKENS = 3_000;
const MOST = 20;

/** Asks for the conclusion in one question without tools, and checks the answer against the look-ups. */
export async function conclude(
  end: InvestigationEnd,
  input: ReasonInput,
  ports: StagePorts,
): Promise<DraftParts | Later> {
  const resolvedAt = await ports.resolvedAt();
  const byRules = () => judgeByRules(input, end, resolvedAt);
  const instead = (reason: string): DraftParts => ({ ...byRules(), fallbackReason: reason });
  // The alert is resolved or the model is unavailable, so no question is asked.
  if (end.reasonCode === 'resolved') return byRules();
  if (resolvedAt !== null && !STEPS.some((step) => ports.model.recorded(step))) return byRules();
  if (end.cause !== null) return instead(end.cause);
  const { callTimeoutMs } = options.read(ports.run.settings.options);
  const question = finalQuestion(end, input, ports.prompts);
  const { seed, deadlineAt: patientUntil } = ports.model.draw(null);
  const draw = { seed, deadlineAt: ports.clock.now() + callTimeoutMs };
  try {
    const asked = await ask(question, {
      model: ports.model,
      draw,
      steps: STEPS,
      signal: ports.signal,
    });
    if ('error' in asked) return instead('invalid_answer');
    const unreadable = asked.tries - 1;
    const answered = answeredDraft(asked.value, end, input, resolvedAt);
    const draft = { ...answered, remarks: [...answered.remarks, ...asked.remarks] };
    return unreadable === 0 ? draft : { ...draft, unreadable };
  } catch (thrown) {
    const after = afterModelFailure(thrown, ports, patientUntil);
    if ('later' in after) return after.later;
    return instead(asCasefileError(thrown).reasonCode);
  }
}

/** The concluding question. Golden files hold its bytes. */
export function finalQuestion(
  end: Pick<InvestigationEnd, 'calls' | 'reasonCode' | 'trace'>,
  { brief, evidence }: ReasonInput,
  prompts: PromptTexts,
): Question<Analysis> {
  const text = prompts.of(finalAnalysis);
  const runbook = runbookIn(evidence);
  const reads = lookUpsOf(evidence, end.calls);
  const gaps = reads.filter(({ gap }) => gap !== null);
  const out = evidence.toolsOut ?? [];
  const rivals = rivalsIn(statementsIn(end.trace));
  const { causes } = judgeCauses(rivals, reads, incidentIn(brief));
  const lines = [...gaps.map(gapLine), ...out.map(({ name, why }) => `${name}: ${why}`)];
  return {
    id: text.id,
    kind: 'analysis',
    level: 'high',
    // The schema stands where every case has the same bytes, which providers' prompt caches recognise.
    system: text.render({ system: { schema: schemaText(answerJsonSchema) } }),
    render: (mark, wrong) =>
      text.render({
        alert: { alert: fencedText(plainText(brief.text), mark) },
        runbook: runbook === null ? [] : { runbook: fencedText(plainText(runbook.text), mark) },
        found: { found: fencedText(shownReads(reads), mark) },
        gaps: lines.length === 0 ? [] : { gaps: fencedText(lines.join('\n'), mark) },
        causes: causes.length === 0 ? [] : { causes: fencedText(causes.map(causeLine).join('\n'), mark) },
        ended: end.reasonCode === null ? [] : { why: reasonInWords(end.reasonCode) },
        task: {},
        retry: markRetry(mark, wrong),
      }),
    answer: { name: 'incident_analysis', schema: answerJsonSchema },
    maxOutputTokens: MAX_OUTPUT_TOKENS,
    read: (content) => readObject(analysisSchema, content),
  };
}

const causeLine = ({ cause, standing, why }: JudgedCause) => `${standing}: ${cause} (${why})`;
const gapLine = ({ id, tool, gap }: Read) => `[${id}] ${tool}: ${gap}`;

const share = z.number({ error: 'expected a number from 0 to 1' }).meta(onScale(1));
const citations = z
  .array(
    z.object({
      id: z.string({ error: 'expected the id of a look-up' }).max(100).transform(bareId),
      quote: z.union([z.string(), z.number().transform(String)], { error: 'expected exact words' }),
    }),
  )
  .transform((list) => list.slice(0, MOST))
  .nullish()
  .transform((list) => list ?? []);
const said = z
  .string({ error: 'expected a text' })
  .trim()
  .min(1, { error: 'expected a text that is not empty' });

/** Lenient schema of a model's answer: unknown keys and missing parts are accepted. */
const analysisSchema = z.object({
  summary: said,
  hypotheses: z.array(z.object({ cause: said, probability: share, citations })).max(MOST),
  ruledOut: z
    .array(z.object({ cause: said, citations }))
    .max(MOST)
    .nullish()
    .transform((list) => list ?? []),
  actions: z
    .array(
      z.object({
        what: said,
        risk: z.enum(RISKS, { error: `expected one of ${RISKS.join(', ')}` }),
        reversible: z.boolean({ error: 'expected true or false' }),
      }),
    )
    .max(MOST)
    .nullish()
    .transform((list) => list ?? []),
  impact: z.object({ now: z.boolean({ error: 'expected true or false' }), what: said }),
  falseAlarm: z
    .object({ is: z.boolean(), citations })
    .nullish()
    .transform((given) => given ?? null),
  confidence: share,
});

const citationsJson: JsonObject = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      id: { type: 'string', description: 'Of a look-up: E3' },
      quote: { type: 'string', description: 'Its exact words or figures' },
    },
    required: ['id', 'quote'],
    additionalProperties: false,
  },
};
const propertyObject = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const propertyList = (properties: JsonObject): JsonObject => ({
  type: 'array',
  items: propertyObject(properties),
});
const text = (description: string): JsonObject => ({ type: 'string', description });

/** The same for providers with structured output. */
const answerJsonSchema: JsonObject = propertyObject({
  summary: text('What happened and how sure that is, in two or three sentences, with ids such as [E3]'),
  hypotheses: {
    ...propertyList({
      cause: text('A root cause'),
      probability: { type: 'number', description: '0 to 1' },
      citations: citationsJson,
    }),
    description: 'The likeliest first; none where nothing that was read points to a cause',
  },
  ruledOut: propertyList({ cause: text('What it is not'), citations: citationsJson }),
  actions: propertyList({
    what: text('What a person should do now'),
    risk: { type: 'string', enum: [...RISKS] },
    reversible: { type: 'boolean' },
  }),
  impact: propertyObject({
    now: { type: 'boolean', description: 'Are users or data harmed at this time?' },
    what: text('Who or what is affected'),
  }),
  falseAlarm: propertyObject({
    is: { type: 'boolean', description: 'Do the look-ups show that nothing is wrong, or no longer?' },
    citations: citationsJson,
  }),
  confidence: { type: 'number', description: '0 to 1' },
});

// Runs of the first releases read any figure above 1 as a percentage. Replays must read it in the same way.
function bareId(id: string): string {
  return id.trim().replace(/^\[/, '').replace(/\]$/, '');
}
