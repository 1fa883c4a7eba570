import {
  conditionFamily,
  type Condition,
  type ConditionNotice,
  type DeliveryKind,
  type DestinationWhen,
  type NewConditionNotice,
  type NoticedCondition,
} from '@casefile/contracts';
import { openingKind } from '../destinations/matches-when.js';
import { causedId } from '../destinations/new-deliveries.js';
import type { OpenConditions } from './conditions.js';

/**
 * Time in which a destination gets at most one opening and one closing message about a condition, in milliseconds. A
 * later change is reported at the end of this time if it still lasts.
 */
export const QUIET_MS = 600_000;

/** A destination, as far as messages about conditions depend on it. */
interface NoticedDestination {
  name: string;
  when: DestinationWhen;
}

/**
 * Returns the messages about conditions that are due: a condition opened or closed since the last message about it. A
 * condition that could not be read has no message. A closing message is sent to each destination that got the opening
 * one, even if its rule has changed since.
 * @param now Milliseconds since the epoch.
 */
export function nextNotices(
  state: OpenConditions,
  last: readonly ConditionNotice[],
  destinations: readonly NoticedDestination[],
  now: number,
): NewConditionNotice[] {
  return destinations.flatMap((destination) => {
    const own = new Map(
      last
        .filter(({ destination: name }) => name === destination.name)
        .map((notice) => [notice.conditionId, notice]),
    );
    // A condition of an earlier reading may have closed since.
    const opened = state.conditions
      .filter(({ asOf }) => asOf === undefined)
      .flatMap((condition) => openingNotice(destination, condition, own.get(condition.id), { now }));
    const closed = [...own.values()]
      .filter((notice) => isOver(notice, state))
      .flatMap((notice) => closingNotice(notice, now));
    return [...opened, ...closed];
  });
}

/** Returns whether the condition of a message no longer holds. One that could not be read may still hold. */
export function isOver(
  { conditionId: id }: Pick<ConditionNotice, 'conditionId'>,
  { conditions, unknown }: OpenConditions,
): boolean {
  return !unknown.has(conditionFamily(id)) && !conditions.some((one) => one.id === id);
}

/** Returns the subject of the messages about a condition. */
export function subjectOf({ conditionId }: Pick<ConditionNotice, 'conditionId'>): string {
  return `condition ${conditionId}`;
}

/**
 * Returns the opening message about a condition, if it is due.
 * @param times.openedAt Time from which the id of the message is derived. Default: now.
 */
export function openingNotice(
  destination: NoticedDestination,
  condition: Condition,
  last: ConditionNotice | undefined,
  { now, openedAt: opened = now }: { now: number; openedAt?: number },
): NewConditionNotice[] {
  if (last !== undefined && (last.isOpen || isQuiet(last.openedAt, now))) return [];
  const kind = openingKind(destination, condition);
  if (kind === null) return [];
  const openedAt = new Date(opened).toISOString();
  const noticed = { ...condition, openedAt, closedAt: null };
  return [
    newNotice(destination.name, kind, noticed, { isOpen: true, closedAt: last?.closedAt ?? null }, last),
  ];
}

function closingNotice(last: ConditionNotice, now: number): NewConditionNotice[] {
  if (!last.isOpen || isQuiet(last.closedAt, now)) return [];
  const closedAt = new Date(now).toISOString();
  const noticed = { ...last.condition, closedAt };
  return [newNotice(last.destination, 'condition-closed', noticed, { isOpen: false, closedAt }, last)];
}

function isQuiet(lastAt: string | null, now: number): boolean {
  return lastAt !== null && now - Date.parse(lastAt) < QUIET_MS;
}

// The cause of a message is the condition and the time at which it opened, so that each is sent once.
function newNotice(
  destination: string,
  kind: DeliveryKind,
  condition: NoticedCondition,
  state: Pick<ConditionNotice, 'isOpen' | 'closedAt'>,
  last: ConditionNotice | undefined,
): NewConditionNotice {
  const { id: conditionId, openedAt } = condition;
  const key = `${state.isOpen ? 'opened' : 'closed'} ${conditionId} ${openedAt}`;
  return {
    ...state,
    destination,
    conditionId,
    condition,
    openedAt,
    replaces: last?.version ?? 0,
    delivery: {
      id: causedId(destination, key),
      destination,
      kind,
      key,
      caseId: null,
      runId: null,
      openUntil: null,
      subject: subjectOf({ conditionId }),
      event: { condition },
    },
  };
}
