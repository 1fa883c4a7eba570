import type { Condition, DestinationState } from '@casefile/contracts';
import type { ConditionRule } from './condition-facts.js';

/**
 * Time from the first failed attempt until a destination counts as failing, in milliseconds. The second attempt
 * follows after about 5 s, so that one refused request opens no condition.
 */
export const FAILING_AFTER_MS = 45_000;

/** Beginning of the ids of conditions about a destination, before its name. */
const FAILING = 'destination_failing';
const nameId = (name: string) => `${FAILING}.${name}`;

const waiting = (count: number) => (count === 1 ? '1 delivery waits' : `${count} deliveries wait`);

/** At least two attempts at a destination failed, and none has succeeded since the first failure. */
export const destinationsFailing: ConditionRule = {
  ids: ({ destinations }) =>
    destinations.map(({ name }) => ({ id: nameId(name), severity: 'error' as const })),
  reads: ['destinations'],
  holding: ({ destinations, now }) => destinations.filter((one) => isFailing(one, now)).map(failingCondition),
};

// While a destination is paused, its condition stays, because the receiver still gets nothing.
function isFailing({ failingSince, lastFailureAt }: DestinationState, now: number): boolean {
  if (failingSince === null || lastFailureAt === null) return false;
  return lastFailureAt > failingSince && now - Date.parse(failingSince) >= FAILING_AFTER_MS;
}

function inWords(problem: string): string {
  return problem.startsWith('HTTP ') ? `it answered ${problem}` : problem;
}

function failingCondition(state: DestinationState): Condition {
  const { name, failingSince, lastProblem, pending, exhausted } = state;
  const ended = exhausted === 0 ? '' : `, ${exhausted} ended without success`;
  return {
    id: nameId(name),
    severity: 'error',
    since: failingSince,
    text: `The destination ${name} has accepted nothing since ${failingSince ?? ''} (${inWords(lastProblem ?? '')}); ${waiting(pending)}${ended}`,
    effect: 'Its receiver gets nothing. Attempts continue for about a day and a half, then a delivery ends.',
    act: `Read its last attempts on the page Destinations. Fix the receiver, its URL or its key, then send a test: casefile destinations test ${name}`,
    link: '/operate/destinations',
  };
}
