import type { Condition, ProcessState } from '@casefile/contracts';
import {
  ABSENT_AFTER_MS,
  running,
  type ConditionFacts,
  type ConditionRule,
  type WaitingUnits,
} from './condition-facts.js';

const idOf = (service: string) => `service_absent.${service}`;

/** A service that no process runs. */
export const serviceAbsent: ConditionRule = {
  ids: ({ services }) => services.map((service) => ({ id: idOf(service), severity: 'error' as const })),
  holding: (facts) => {
    if (facts.upForMs < ABSENT_AFTER_MS) return [];
    const present = new Set(running(facts.processes).flatMap(({ services }) => services));
    return facts.services.filter((name) => !present.has(name)).map((name) => conditionOf(name, facts));
  },
};

function conditionOf(service: string, { processes, waiting }: ConditionFacts): Condition {
  const last = processes.find(({ services }) => services.includes(service));
  const units = waiting.get(service);
  const wait = units === undefined ? '' : `: ${inWords(units)} for it`;
  return {
    id: idOf(service),
    severity: 'error',
    since: last?.stoppedAt ?? last?.seenAt ?? null,
    text: `No ${service} is running${wait}`,
    effect: EFFECTS[service] ?? 'Its work waits; nothing is lost.',
    act: `Start the service ${service}${howItEnded(last)}.`,
    link: '/',
  };
}

const EFFECTS: Record<string, string> = {
  ingest: 'New alerts are not accepted; senders must send them again.',
  console: 'Nobody can see or change anything in the console or by its API.',
  'evidence-collector': 'Cases wait for evidence; nothing is lost.',
  reasoner: 'Cases wait to be judged; nothing is lost.',
  'critic-writer': 'Cases wait for review and report; nothing is lost.',
  decision: 'Cases wait for their verdicts, and no verdict is sent; nothing is lost.',
};

function inWords({ count, isMore }: WaitingUnits): string {
  if (isMore) return `more than ${count} units wait`;
  return count === 1 ? '1 unit waits' : `${count} units wait`;
}

function howItEnded(last: ProcessState | undefined): string {
  if (last === undefined) return '; none has run on this record';
  if (last.stoppedAt !== null) return `; it was stopped in order on ${last.host}`;
  return `, and read its log: it was process ${last.pid} on ${last.host}`;
}
