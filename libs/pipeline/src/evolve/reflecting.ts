import {
  asCasefileError,
  CasefileError,
  done,
  isWorkerError,
  later,
  type Brief,
  type Draft,
  type JsonObject,
  type Outcome,
  z,
  type Question,
  type Reflection,
  type EvaluatedRun,
} from '@casefile/contracts';
import { ask, isOfAnswer, markRetry, schemaText } from '../ask.js';
import { decisionRule } from '../parts/deciding.js';
import { asRecorded } from '../parts/outward.js';
import type { Playbook } from '../playbook.js';
import type { ReasonInput, Strategy } from '../strategy.js';
import type { StagePorts } from '../stage-ports.js';
import { readObject } from '../answers/read-object.js';
import { markHidden } from '../language/without-disguises.js';
import { fencedText } from '../fence.js';
import { firstCodePoints, inLine, plainText } from '../plain-text.js';
import { definePrompt, LONGEST_PROMPT, type PromptTexts } from '../prompts/prompt.js';
import type { CaseScore } from './evolution-state.js';

/** Prompt by which a model improves the text of another prompt. It cannot be evolved. */
export const reflectPrompt = definePrompt({
  id: 'evolution/reflect@1',
  file: new URL('../prompts/evolution/reflect@1.md', import.meta.url),
  sections: {
    system: [],
    text: ['text'],
    case: ['number', 'score', 'input', 'answer', 'expected', 'problems'],
    tried: ['reason', 'added'],
    task: ['schema'],
    retry: ['answer', 'problem'],
  },
});

/** Code points of each part of a case, and of a change that was dropped. */
const INPUT_SHOWN = 2_000;
const ANSWER_SHOWN = 1_500;
const TRIED_SHOWN = 600;
/** Dropped changes that are shown. */
const MOST_TRIED = 6;
const MOST_OUTPUT_TOKENS = 8_000;
/** Characters of a token, counted low, so that the answer has room for the whole text. */
const CHARACTERS_PER_TOKEN = 3;

const answerSchema = z.object({
  reason: z.string().catch(''),
  text: z.string({ error: 'expected the whole changed text' }).trim().min(1).max(LONGEST_PROMPT),
});

const SCHEMA: JsonObject = {
  type: 'object',
  additionalProperties: false,
  required: ['reason', 'text'],
  properties: {
    reason: { type: 'string', description: 'What was wrong, and what was changed' },
    text: { type: 'string', description: 'The whole changed text, with all its sections' },
  },
};

/** A text that a model proposed, with its reason. */
export interface ProposedText {
  reason: string;
  text: string;
}

/** Returns the question for another text of a prompt. Texts and cases are fenced: strangers wrote parts of them. */
export function reflectionQuestion(
  { text: parent, cases, tried }: Reflection,
  prompts: PromptTexts,
): Question<ProposedText> {
  const text = prompts.of(reflectPrompt);
  const cut = (value: string, most: number, mark: string) =>
    fencedText(markHidden(firstCodePoints(plainText(value), most)), mark);
  return {
    id: text.id,
    kind: 'answer',
    level: 'high',
    system: text.render({ system: {} }),
    render: (mark, wrong) =>
      text.render({
        text: { text: fencedText(parent, mark) },
        case: cases.map(({ input, answer, expected, score, problems }, i) => ({
          number: String(i + 1),
          score,
          input: cut(input, INPUT_SHOWN, mark),
          answer: cut(answer, ANSWER_SHOWN, mark),
          expected: cut(expected, ANSWER_SHOWN, mark),
          problems: cut(problems.length === 0 ? 'none' : problems.join('\n'), ANSWER_SHOWN, mark),
        })),
        tried: tried.slice(-MOST_TRIED).map(({ added, reason }) => ({
          reason: inLine(reason, 200),
          added: cut(added, TRIED_SHOWN, mark),
        })),
        task: { schema: schemaText(SCHEMA) },
        retry: markRetry(mark, wrong),
      }),
    answer: { name: 'changed_prompt', schema: SCHEMA },
    maxOutputTokens: Math.min(
      MOST_OUTPUT_TOKENS,
      1_000 + Math.ceil(parent.length / CHARACTERS_PER_TOKEN) * 2,
    ),
    read: (content) => readObject(answerSchema, content),
  };
}

/** Strategy of a run that reflects on a prompt. */
export const REFLECTION = 'reflection';

const STEPS = [1, 2] as const;
const OUTAGE_DELAY_MS = 30_000;

const NO_BRIEF: Omit<Brief, 'receivedAt'> = {
  text: 'A prompt is improved from the answers to recorded cases.',
  textSource: 'none',
  entities: {},
  given: [],
  collect: false,
  notes: [],
};

const reflection: Strategy = { prompts: { reflect: reflectPrompt }, reason: reflect };

type Part =
  | 'triage'
  | 'collect'
  | 'strategies'
  | 'strategy'
  | 'critique'
  | 'write'
  | 'decision'
  | 'outward'
  | 'presenting';

export const REFLECTING: Pick<Playbook, Part> = {
  triage: async ({ receivedAt }) => done({ ...NO_BRIEF, receivedAt }),
  collect: async () => done({ items: [] }),
  strategies: { [REFLECTION]: reflection },
  strategy: REFLECTION,
  critique: async () => done({ ruling: 'PASS', findings: [], reviewer: 'none' }),
  write: ([{ draft }]) => ({ title: 'Reflection on a prompt', markdown: draft.explanation, citations: [] }),
  decision: decisionRule({
    name: REFLECTION,
    missing: () => ({ causes: [] }),
    decide: ({ unit: { draft } }) => ({
      outcome: {},
      disposition: 'dismiss',
      confidence: 1,
      confidenceSource: 'llm',
      method: 'llm',
      reasons: [draft.explanation],
      citations: [],
    }),
  }),
  outward: asRecorded,
  presenting: {
    word: () => 'reflection',
    answer: () => 'reflection',
    rule: 'The run proposes another text of a prompt. It does not judge the case.',
    labels: {},
    scales: () => [],
  },
};

/** Returns the proposed text of a reflection's draft, or why there is none. */
export function proposedText(answer: JsonObject | null): { text: string } | { problem: string } {
  const { text, problem } = answer ?? {};
  if (typeof text === 'string') return { text };
  return { problem: typeof problem === 'string' ? problem : 'the reflection has no answer' };
}

async function reflect(_input: ReasonInput, ports: StagePorts): Promise<Outcome<Draft>> {
  const { model, prompts, run, signal } = ports;
  const { reflection: about } = run.settings;
  if (about === undefined) throw new CasefileError('bad_playbook', 'the run has nothing to reflect on');
  if (!model.available) return done(toDraft({ problem: 'no_provider' }, ''));
  const question = reflectionQuestion(about, prompts);
  try {
    const { seed } = model.draw(null);
    const draw = { seed, deadlineAt: null };
    const reply = await ask(question, {
      model,
      draw,
      steps: STEPS,
      signal,
    });
    if ('error' in reply) return done(toDraft({ problem: reply.error.reasonCode }, question.id));
    const { text, reason } = reply.value;
    return done(toDraft({ text, reason }, question.id));
  } catch (thrown) {
    const error = asCasefileError(thrown);
    if (signal.aborted || isWorkerError(error)) throw thrown;
    if (isOfAnswer(error)) return done(toDraft({ problem: error.reasonCode }, question.id));
    // An outage or a budget without room: the run waits or is parked.
    return later(error.retryAfterMs ?? OUTAGE_DELAY_MS, error.reasonCode);
  }
}

function toDraft(answer: JsonObject, promptId: string): Draft {
  const { reason, problem } = answer;
  return {
    answer,
    explanation: String(reason ?? problem ?? ''),
    claims: [],
    evidenceUsed: [],
    confidence: 1,
    confidenceSource: 'llm',
    method: 'llm',
    strategy: REFLECTION,
    ...(promptId === '' ? {} : { promptId }),
    remarks: [],
  };
}

/** Returns a run as a reflection shows it. */
export function reflectedCase(run: EvaluatedRun, { score }: CaseScore): Reflection['cases'][number] {
  const { text, input, outcome, expected, cited, supported, claims, fallback, note, answer } = run;
  const shownInput = input === null ? text : `${text}\n${JSON.stringify(input)}`;
  return {
    input: shownInput,
    answer: JSON.stringify(answer ?? decidingFields(outcome, expected)),
    expected: JSON.stringify(expected ?? {}),
    score: score === null ? 'none' : score.toFixed(2),
    problems: [
      ...(expected === null || run.right === true
        ? []
        : [`the outcome was ${JSON.stringify(decidingFields(outcome, expected))}`]),
      ...(supported < cited ? [`${cited - supported} of ${cited} citations are not on the record`] : []),
      ...claims
        .filter((claim) => claim.answer !== 'supports')
        .map(
          ({ text: words, answer: result }) =>
            `its sources ${result === 'contradicts' ? 'contradict' : 'do not state'}: ${words}`,
        ),
      ...(fallback === null ? [] : [`the answer could not be used: ${fallback}`]),
      ...(note === null ? [] : [`note of a reviewer: ${note}`]),
    ],
  };
}

/** Returns the fields of an outcome that the label names. */
function decidingFields(outcome: JsonObject | null, expected: JsonObject | null): JsonObject {
  if (outcome === null || expected === null) return outcome ?? {};
  return Object.fromEntries(Object.keys(expected).map((name) => [name, outcome[name] ?? null]));
}

/** Returns the lines of a text that another one does not have: what a proposal added. */
export function addedLines(text: string, parent: string): string {
  const known = new Set(parent.split('\n').map((line) => line.trim()));
  return text
    .split('\n')
    .filter((line) => !known.has(line.trim()))
    .join('\n');
}
