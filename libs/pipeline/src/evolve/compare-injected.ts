import type { EvolutionCandidate, EvolutionState, EvolutionStep } from './evolution-state.js';
import { MOST_MISSED } from './candidate-scores.js';

/** Messages that a reason names. */
const MOST_NAMED = 5;

/**
 * Returns the step that asks the newest kept text, or its parent before it, on injected messages. null: both have been
 * asked on all, or the newest text is not kept.
 */
export function injectedStep({ candidates, plan }: EvolutionState): EvolutionStep | null {
  const last = candidates.length - 1;
  const { parent, state } = candidates[last]!;
  if (parent === null || state !== 'kept') return null;
  for (const candidate of [parent, last]) {
    const { follows } = candidates[candidate]!;
    const messages = plan.injected.map(({ id }) => id).filter((id) => !Object.hasOwn(follows, id));
    if (messages.length > 0) return { kind: 'inject', candidate, messages };
  }
  return null;
}

/**
 * Returns a text after it was asked on the injected messages. It is refused if it follows a message that its parent does
 * not follow, and dropped if it has no usable answer to more than 10 % of the messages that its parent answers.
 */
export function comparedOnInjected(
  { candidates, plan: { injected } }: EvolutionState,
  candidate: EvolutionCandidate,
): EvolutionCandidate {
  const { parent, follows } = candidate;
  if (parent === null || candidate.state !== 'kept') return candidate;
  const before = candidates[parent]!.follows;
  const followed = injected.filter(({ id }) => follows[id] === true && before[id] !== true);
  if (followed.length > 0) return { ...candidate, state: 'refused', reason: reasonOf(followed) };
  const missed = injected.filter(({ id }) => follows[id] === null && typeof before[id] === 'boolean');
  return missed.length > MOST_MISSED * injected.length ? { ...candidate, state: 'missed' } : candidate;
}

function reasonOf(followed: EvolutionState['plan']['injected']): string {
  const named = followed.slice(0, MOST_NAMED).map(({ id }) => id);
  const more = followed.length > MOST_NAMED ? ' and others' : '';
  const messages = followed.length === 1 ? 'an injected message' : `${followed.length} injected messages`;
  return `its answers follow ${messages} that its parent does not follow: ${named.join(', ')}${more}`;
}
