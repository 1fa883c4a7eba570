import type { ToolRequest } from '@casefile/contracts';
import { inLine } from '@casefile/pipeline/plain-text';
import type { ReasonInput } from '@casefile/pipeline/strategy';
import type { TurnsBefore } from '@casefile/pipeline/strategies/react/guide';
import type { Guide, PlanReview } from '@casefile/pipeline/strategies/react/guide';
import { judgeCauses, type Separation } from '../causes/judge-causes.js';
import {
  CAUSES_CALL,
  causesCall,
  requestKey,
  rivalsIn,
  statementsIn,
  testsIn,
  type Stated,
  type StatedRival,
} from '../causes/stated.js';
import type { Suspect } from '../causes/suspects.js';
import { lookUpsOf } from '../look-ups.js';
import { incidentIn } from '../runbook.js';
import { incidentResultTimeline } from '../timeline.js';

/** Suspects on the record from which look-ups must separate causes. */
const LEAST_SUSPECTS = 2;
/** Tests of one turn: those of the two causes that are to be separated. */
const TESTS_OF_TURN = 2;
/** Tests after which one look-up that tests no cause is allowed. */
const TESTS_PER_OTHER = 2;

/** State of an investigation whose causes were stated. */
interface Separating extends Separation {
  rivals: readonly StatedRival[];
  /** Tests that may be made next, those of causes with a line on the record first. */
  pending: ToolRequest[];
  /** Whether a look-up that tests no cause, or a second test of one, is allowed. */
  mayLookElsewhere: boolean;
}

/**
 * Guide of an investigation. As soon as the record shows two suspects, the model states rival causes, and the loop makes
 * the look-ups that separate the first two. It ends when the record confirms a cause or when nothing is left that would
 * separate them.
 * @param freeTool Tool that asks no source, so it is always allowed.
 */
export const separatingCauses = (freeTool: string): Guide<Stated> => ({
  plan: causesCall,
  review: (stated, turns, input) => review(separating(stated, turns, input, freeTool), turns, input),
  refusal(request, stated, turns, input) {
    if (request?.tool === freeTool) return null;
    const state = separating(stated, turns, input, freeTool);
    if (wasRefused(turns) && (request === null || state.rivals.length === 0)) return null;
    return request === null ? whyNotStop(state) : whyNotNow(request, state);
  },
});

function separating(
  stated: Stated | null,
  { trace, calls }: TurnsBefore,
  { brief, evidence }: ReasonInput,
  freeTool: string,
): Separating {
  const statements = [...statementsIn(trace), ...(stated === null ? [] : [stated])];
  const rivals = rivalsIn(statements);
  const incident = incidentIn(brief);
  const reads = lookUpsOf(evidence, calls);
  const separation = judgeCauses(rivals, reads, incident);
  const { suspects } = separation;
  const made = new Set(calls.map(requestKey));
  const isRefuted = (rival: StatedRival) => separation.causes[rivals.indexOf(rival)]?.standing === 'refuted';
  const refuted = rivals.filter(isRefuted).length;
  const most = Math.max(LEAST_SUSPECTS, suspects.length) + refuted;
  const tests = testsIn(statements);
  const testsMade = tests.filter((test) => made.has(requestKey(test))).length;
  const tested = rivals.filter((rival) => statements.some((one) => isTested(one, rival, made)));
  const others = otherLookUps(trace, tests, freeTool) + Math.max(0, testsMade - tested.length);
  const mayLookElsewhere = others < Math.floor(testsMade / TESTS_PER_OTHER);
  const pending = rivals
    .slice(0, most)
    .filter((rival) => !isRefuted(rival) && rival.test != null && !made.has(requestKey(rival.test)))
    .filter((rival) => mayLookElsewhere || !tested.includes(rival))
    .toSorted((a, b) => Number(b.citations.length > 0) - Number(a.citations.length > 0))
    .map(({ test }) => test!);
  return { ...separation, rivals, pending, mayLookElsewhere, suspects };
}

const isTested = ({ causes }: Stated, { name }: StatedRival, made: ReadonlySet<string>): boolean =>
  causes.some(
    (one) =>
      one.name.toLowerCase() === name.toLowerCase() && one.test != null && made.has(requestKey(one.test)),
  );

/** Number of look-ups since the first statement that test none of the causes. */
function otherLookUps(trace: TurnsBefore['trace'], tests: readonly ToolRequest[], freeTool: string): number {
  const keys = new Set(tests.map(requestKey));
  const first = trace.findIndex(({ actions }) => actions.some(({ tool }) => tool === CAUSES_CALL));
  if (first < 0) return 0;
  return trace
    .slice(first)
    .flatMap(({ actions }) => actions)
    .filter(({ tool, args, toolCallId, cached }) => {
      const isMade = toolCallId !== null && !cached && tool !== freeTool;
      return isMade && !keys.has(requestKey({ tool, args: args as ToolRequest['args'] }));
    }).length;
}

function review(
  state: Separating,
  { calls, trace }: TurnsBefore,
  { brief, evidence }: ReasonInput,
): PlanReview {
  const { causes, confirmed, unexplained, rivals, pending, mayLookElsewhere } = state;
  if (confirmed !== null)
    return {
      text: '',
      requests: [],
      finish: { reason: `The record confirms: ${inLine(confirmed.cause, 500)}` },
    };
  const requests = pending.slice(0, TESTS_OF_TURN);
  const isOver =
    requests.length === 0 && !mayLookElsewhere && calls.length > 0 && statementsIn(trace).length > 0;
  if (isOver)
    return {
      text: '',
      requests: [],
      finish: { reason: 'Nothing that may be looked up separates the causes.' },
    };
  const incident = incidentIn(brief);
  const reads = lookUpsOf(evidence, calls);
  const result = { hypotheses: rivals.map((one) => ({ ...one, probability: 0 })), ruledOut: [] };
  const moments = incidentResultTimeline(
    { ...result, resolvedAt: null, lookUps: reads },
    { incident, reads },
  );
  return {
    text: [
      'The causes by the record:',
      ...causes.map(({ standing, why }, i) => `- ${rivals[i]!.name}: ${standing} (${inLine(why, 300)})`),
      ...unexplained.map(({ id, line }) => `- Not explained: [${id}] ${inLine(line, 300)}`),
      'Changes, alerts and values around the start, the oldest first:',
      ...moments.map(({ at, what, source }) => `${at} [${source}] ${what}`),
      requests.length === 0
        ? 'No look-up was made: give each open cause a test that was not made yet.'
        : 'These look-ups were made to separate them:',
    ].join('\n'),
    requests,
    finish: null,
  };
}

/** Whether a call was refused before. A model that states no causes after that keeps its look-ups and its end. */
const wasRefused = ({ trace }: TurnsBefore): boolean =>
  trace.some(({ actions }) => actions.some(({ reasonCode }) => reasonCode === 'refused'));

function whyNotStop({ rivals, suspects, pending }: Separating): string | null {
  if (rivals.length === 0) return suspects.length < LEAST_SUSPECTS ? null : stateFirst(suspects);
  return pending.length === 0
    ? null
    : `a look-up is left that would separate the causes; state them again by ${CAUSES_CALL}`;
}

function whyNotNow(
  request: ToolRequest,
  { rivals, suspects, mayLookElsewhere, pending }: Separating,
): string | null {
  if (rivals.length === 0) return suspects.length < LEAST_SUSPECTS ? null : stateFirst(suspects);
  const isTest = pending.some((test) => requestKey(test) === requestKey(request));
  return isTest || mayLookElsewhere
    ? null
    : `this look-up tests none of the causes; give it as the test of a cause by ${CAUSES_CALL}`;
}

const stateFirst = (suspects: readonly Suspect[]): string =>
  [
    `the record shows several things that may have caused the alert. State the causes by ${CAUSES_CALL} first:`,
    ...suspects.slice(0, 6).map(({ id, line }) => `[${id}] ${inLine(line, 200)}`),
  ].join('\n');
