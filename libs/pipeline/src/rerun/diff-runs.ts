import {
  canonicalJson,
  type Divergence,
  type Interaction,
  type Json,
  type JsonObject,
  type RunDiff,
  type RunDifference,
  type RunDocument,
  type ToolCall,
} from '@casefile/contracts';
import { flow } from '../flow.js';

/** Parts of a run that are compared. */
export type ComparedRun = Pick<
  RunDocument,
  | 'id'
  | 'settings'
  | 'status'
  | 'reasonCode'
  | 'message'
  | 'verdict'
  | 'toolCalls'
  | 'interactions'
  | 'createdAt'
  | 'decidedAt'
>;

/**
 * Compares two runs of a case: verdict and evidence, tool calls, model calls, and the first difference. Cost,
 * time and settings are reported but do not count as differences.
 */
export function diffRuns(a: ComparedRun, b: ComparedRun): RunDiff {
  const [stepsA, stepsB] = [runSteps(a), runSteps(b)];
  const counted = [
    ...verdictDifferences(a, b),
    ...stepDifferences('tool path', toolPath(stepsA), toolPath(stepsB)),
    ...stepDifferences('requests', requests(stepsA), requests(stepsB)),
  ];
  return {
    a: a.id,
    b: b.id,
    same: counted.length === 0,
    flipped: isFlipped(a, b),
    differences: [
      ...counted.map((one) => ({ ...one, counts: true })),
      ...differencesInWords(a, b).map((one) => ({ ...one, counts: false })),
    ],
    firstDivergence: firstDivergence(stepsA, stepsB),
  };
}

type RunDifferences = Omit<RunDifference, 'counts'>;

/** Returns whether the action on the case differs. A run without a verdict has no action. */
function isFlipped(a: ComparedRun, b: ComparedRun): boolean {
  const done = ({ verdict }: ComparedRun) =>
    verdict === null ? null : JSON.stringify([verdict.disposition, outcomeAction(verdict.outcome)]);
  return done(a) !== done(b);
}

/** Action of a verdict, if its playbook names it; else null. */
export function outcomeAction(outcome: JsonObject | null | undefined): string | null {
  const action = outcome?.['action'];
  return typeof action === 'string' ? action : null;
}

function verdictDifferences(a: ComparedRun, b: ComparedRun): RunDifferences[] {
  if (a.verdict === null || b.verdict === null)
    return a.verdict === b.verdict && a.status === b.status
      ? []
      : [{ what: 'verdict', a: endOf(a), b: endOf(b) }];
  const [one, other] = [a.verdict, b.verdict];
  const facts = (['disposition', 'confidence', 'method', 'citations'] as const).flatMap((what) =>
    differing(what, one[what] as Json, other[what] as Json),
  );
  return [...facts, ...outcomeDifferences(one.outcome, other.outcome)];
}

// Compares each part of an outcome separately, under the playbook's names.
function outcomeDifferences(
  a: JsonObject | null | undefined,
  b: JsonObject | null | undefined,
): RunDifferences[] {
  const keys = [...new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])].sort();
  return keys.flatMap((key) => differing(`outcome.${key}`, a?.[key], b?.[key]));
}

function differing(what: string, a: Json | undefined, b: Json | undefined): RunDifferences[] {
  const difference = firstDifference(a, b);
  if (difference === null) return [];
  const path = difference.path.replace(/:\d+$/, '');
  const place = path === '' ? what : `${what}${path.startsWith('[') ? '' : '.'}${path}`;
  return [{ what: place, a: difference.a, b: difference.b }];
}

function endOf({ status, verdict, message, reasonCode }: ComparedRun): string {
  if (verdict !== null) return verdict.disposition;
  return [status, message ?? reasonCode].filter((part) => part !== null).join(': ');
}

/** One question or tool call of a run. */
interface Step {
  /** Key for matching it with the other run. */
  key: string;
  order: readonly (number | string)[];
  place: Pick<Divergence, 'stage' | 'round' | 'unit' | 'step'>;
  request: { what: 'request' | 'tool call'; said: Json; mark: string };
  /** Result of a tool call. */
  answer: Json | undefined;
}

function runSteps(run: ComparedRun): Step[] {
  const tools = new Map(run.toolCalls.map((call) => [call.id, call]));
  const seen = new Map<string, number>();
  const steps = [
    ...run.toolCalls.map(toolStep),
    ...run.interactions.flatMap((one) => requestStep(one, tools)),
  ].sort(byOrder);
  // A repeated question at one place counts as two questions.
  return steps.map((step) => {
    const times = (seen.get(step.key) ?? 0) + 1;
    seen.set(step.key, times);
    return { ...step, key: `${step.key} ${times}` };
  });
}

/**
 * Distance between the steps of a turn whose tools were called differently after a release; see `askTools`.
 */
const STEPS_APART = 1_000;
// A turn's local calls have its odd step, its remote calls the even step; recorded calls that are read have
// the odd one.
const stepTurn = (step: number): number => Math.ceil((step % STEPS_APART) / 2);
const STAGES = flow.map(({ name }) => name);

function toolStep(call: ToolCall): Step {
  const { round, stage, unit, tool, args, step } = call;
  const mark = `${tool} ${canonicalJson(args)}`;
  const turn = stepTurn(step);
  return {
    key: ['tool', round, stage, unit, turn, mark].join(' '),
    order: [round, STAGES.indexOf(stage), unit, turn, 1, mark, 0, 0],
    place: { round, stage, unit, step: turn },
    request: { what: 'tool call', said: { tool, args }, mark },
    answer: { state: call.state, result: call.result, reasonCode: call.reasonCode },
  };
}

// Attempts at one step are one question.
function requestStep(one: Interaction, tools: ReadonlyMap<string, ToolCall>): Step[] {
  const { round, stage, unit, step, requestHash, attempt, toolCallId = null } = one;
  if (attempt > 1) return [];
  const caller = toolCallId === null ? undefined : tools.get(toolCallId);
  const by = caller === undefined ? '' : `${caller.tool} ${canonicalJson(caller.args)}`;
  const turn = caller === undefined ? step : stepTurn(caller.step);
  return [
    {
      key: ['request', round, stage, unit, turn, by, step].join(' '),
      order: [round, STAGES.indexOf(stage), unit, turn, caller === undefined ? 0 : 2, by, step, 0],
      place: { round, stage, unit, step },
      request: { what: 'request', said: one.request, mark: requestHash },
      answer: undefined,
    },
  ];
}

function byOrder(a: Step, b: Step): number {
  for (const [i, value] of a.order.entries()) {
    const other = b.order[i]!;
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}

const toolPath = (steps: readonly Step[]) => steps.filter(({ request }) => request.what === 'tool call');
const requests = (steps: readonly Step[]) => steps.filter(({ request }) => request.what === 'request');

function stepDifferences(what: string, a: readonly Step[], b: readonly Step[]): RunDifferences[] {
  const marks = (steps: readonly Step[]) =>
    new Set(steps.map(({ key, request }) => `${key} ${request.mark}`));
  const [inA, inB] = [marks(a), marks(b)];
  const alone = (own: ReadonlySet<string>, other: ReadonlySet<string>) =>
    [...own].filter((mark) => !other.has(mark)).length;
  const [onlyA, onlyB] = [alone(inA, inB), alone(inB, inA)];
  if (onlyA + onlyB === 0) return [];
  const shown = (all: number, only: number) => `${all}${only === 0 ? '' : `, ${only} of them here alone`}`;
  return [{ what, a: shown(a.length, onlyA), b: shown(b.length, onlyB) }];
}

function firstDivergence(a: readonly Step[], b: readonly Step[]): Divergence | null {
  const ofA = new Map(a.map((step) => [step.key, step]));
  const ofB = new Map(b.map((step) => [step.key, step]));
  for (const step of [...a, ...b].sort(byOrder)) {
    const divergence = stepDivergence(ofA.get(step.key), ofB.get(step.key));
    if (divergence !== null) return { ...step.place, ...divergence };
  }
  return null;
}

function stepDivergence(
  a: Step | undefined,
  b: Step | undefined,
): Pick<Divergence, 'what' | 'path' | 'a' | 'b'> | null {
  const either = a ?? b;
  if (either === undefined) return null;
  const { what } = either.request;
  if (a === undefined || b === undefined) {
    const shown = (step: Step | undefined) => (step === undefined ? '(none)' : briefly(step));
    return { what, path: '', a: shown(a), b: shown(b) };
  }
  if (a.request.mark !== b.request.mark) {
    const difference = firstDifference(a.request.said, b.request.said);
    return { what, ...(difference ?? { path: '', a: a.request.mark, b: b.request.mark }) };
  }
  const difference = firstDifference(a.answer, b.answer);
  return difference === null ? null : { what: 'tool result', ...difference };
}

const MOST_SHOWN = 120;

function briefly({ request }: Step): string {
  const text = request.what === 'request' ? `request ${request.mark.slice(0, 12)}` : request.mark;
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

function differencesInWords(a: ComparedRun, b: ComparedRun): RunDifferences[] {
  const facts: [string, (run: ComparedRun) => string][] = [
    ['strategy', ({ settings }) => settings.strategy],
    ['model', ({ settings }) => `${settings.provider}/${settings.model}`],
    ['prompts', ({ settings }) => Object.values(settings.promptIds).sort().join(', ')],
    ['options', ({ settings }) => canonicalJson(settings.options)],
    ['reasons', ({ verdict }) => verdict?.reasons.join('\n') ?? ''],
    ['model calls', ({ interactions }) => String(interactions.length)],
    ['tokens', ({ interactions }) => String(sum(interactions, interactionTokens))],
    ['cost', ({ interactions }) => `$${sum(interactions, ({ costUsd }) => costUsd ?? 0).toFixed(6)}`],
    [
      'latency of models',
      ({ interactions }) => `${sum(interactions, ({ latencyMs }) => latencyMs ?? 0).toFixed(0)} ms`,
    ],
    ['time taken', comparedRunTime],
  ];
  return facts.flatMap(([what, of]) => {
    const [one, other] = [of(a), of(b)];
    if (one === other) return [];
    if (what !== 'options') return [{ what, a: one, b: other }];
    return differing(what, a.settings.options, b.settings.options);
  });
}

function sum(interactions: readonly Interaction[], of: (one: Interaction) => number): number {
  return interactions.reduce((total, one) => total + of(one), 0);
}

const interactionTokens = ({ usage }: Interaction): number => usage.inputTokens + usage.outputTokens;

function comparedRunTime({ createdAt, decidedAt }: ComparedRun): string {
  return decidedAt === null ? 'no end' : `${Date.parse(decidedAt) - Date.parse(createdAt)} ms`;
}

/** The first difference of two documents, with both values. */
export interface FirstDifference {
  /** For example `messages[1].content`, with the position in a text (`:412`); empty: the whole document. */
  path: string;
  /** The text around the position, or the value as JSON, cut; `(none)` if missing. */
  a: string;
  b: string;
}

/** Characters shown before and after the first difference of two texts. */
const BEFORE = 30;
const FROM = 50;
const NONE = '(none)';

/** Returns the first difference of two documents, with keys in alphabetical order; null: none. */
export function firstDifference(a: Json | undefined, b: Json | undefined, path = ''): FirstDifference | null {
  if (typeof a === 'string' && typeof b === 'string') return a === b ? null : inText(a, b, path);
  if (Array.isArray(a) && Array.isArray(b)) {
    for (let i = 0; i < Math.max(a.length, b.length); i += 1) {
      const difference = firstDifference(a[i], b[i], `${path}[${i}]`);
      if (difference !== null) return difference;
    }
    return null;
  }
  if (isObject(a) && isObject(b)) {
    for (const key of [...new Set([...Object.keys(a), ...Object.keys(b)])].sort()) {
      const inner = firstDifference(valueOf(a, key), valueOf(b, key), path === '' ? key : `${path}.${key}`);
      if (inner !== null) return inner;
    }
    return null;
  }
  return Object.is(a, b) ? null : { path, a: shown(a), b: shown(b) };
}

function inText(a: string, b: string, path: string): FirstDifference {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const around = (text: string) =>
    `${at > BEFORE ? '…' : ''}${text.slice(Math.max(0, at - BEFORE), at + FROM)}${text.length > at + FROM ? '…' : ''}`;
  return { path: `${path}:${at}`, a: around(a), b: around(b) };
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const valueOf = (value: JsonObject, key: string): Json | undefined =>
  Object.hasOwn(value, key) ? value[key] : undefined;

function shown(value: Json | undefined): string {
  if (value === undefined) return NONE;
  const text = JSON.stringify(value);
  return text.length > BEFORE + FROM ? `${text.slice(0, BEFORE + FROM)}…` : text;
}
