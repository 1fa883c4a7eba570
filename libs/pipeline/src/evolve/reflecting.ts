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
  type RunSettings,
} from '@casefile/contracts';
import { ask, isOfAnswer } from '../ask.js';
import { decisionRule } from '../parts/deciding.js';
import { asRecorded } from '../parts/outward.js';
import { type Playbook } from '../playbook.js';
import { playbookNamed } from '../playbook-list.js';
import type { Presenting } from '../present.js';
import type { ReasonInput, Strategy } from '../strategy.js';
import type { StagePorts } from '../stage-ports.js';
import { withInjectedMessage } from './injected-cases.js';
import { reflectionQuestion, reflectPrompt } from './reflection-question.js';

/** Strategy of a run that reflects on a prompt. */
export const REFLECTION = 'reflection';

const STEPS = [1, 2] as const;
const OUTAGE_DELAY_MS = 30_000;

/**
 * Returns the playbook of a run: that of its kind. If the run reflects on a prompt of the kind, the playbook asks for
 * another text and judges nothing. If the run has an injected message, its brief contains the message.
 */
export function playbookForRun(settings: RunSettings, among: readonly Playbook[]): Playbook {
  const kind = playbookNamed(settings.playbook, among);
  if (settings.reflection !== undefined) return { ...kind, ...REFLECTING };
  return settings.injected === undefined ? kind : withInjectedMessage(kind, settings.injected);
}

/** Returns the rules by which the verdict of a run is displayed. */
export function presentingForRun(
  { reflection }: Pick<RunSettings, 'reflection'>,
  presenting: Presenting | undefined,
): Presenting | undefined {
  return reflection === undefined ? presenting : REFLECTING.presenting;
}

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

const REFLECTING: Pick<Playbook, Part> = {
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
