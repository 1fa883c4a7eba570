import {
  MOST_PREVIEWED,
  recordedVerdict,
  type Batches,
  type BatchChoice,
  type BatchPreview,
  type CaseStore,
  type Destinations,
  type PreviewedMember,
} from '@casefile/contracts';
import { outwardMessage, type OutwardPorts } from '@casefile/engine';
import { configuredFirst } from '../config/added-destinations.js';
import type { ConfiguredDestination } from '../config/destination-settings.js';
import { labelsAsked, messageDeliveries } from '../destinations/new-deliveries.js';

/** Members that are read in one query. */
const PAGE = 200;

type ShownDestination = Pick<ConfiguredDestination, 'name' | 'type' | 'when'>;

export interface PreviewPorts extends Pick<OutwardPorts, 'playbooks'> {
  store: Pick<CaseStore, 'engagements'> & {
    batches: Pick<Batches, 'preview'>;
    destinations: Pick<Destinations, 'added' | 'labels'>;
  };
  /** Destinations of the configuration. */
  destinations: readonly ShownDestination[];
  answerWithinHours: Readonly<Record<string, number>>;
  now(): number;
}

/** Counts what applying chosen cases of a batch would do now. It examines at most `MOST_PREVIEWED` new verdicts. */
export async function previewApply(
  ports: PreviewPorts,
  batchId: string,
  choice: BatchChoice,
): Promise<BatchPreview> {
  const { store } = ports;
  const added = (await store.destinations.added()).map(({ name, entry }) => ({ ...entry, name }));
  const destinations = configuredFirst(ports.destinations, added);
  const receivers = new Map(destinations.map(({ name }) => [name, 0]));
  const results = { applied: 0, by_person: 0, unchanged: 0, overtaken: 0 };
  let [examined, messages, after, hasMore] = [0, 0, -1, true];
  while (hasMore && examined < MOST_PREVIEWED) {
    const members = await store.batches.preview(batchId, choice, after, PAGE + 1);
    hasMore = members.length > PAGE;
    for (const member of members.slice(0, PAGE)) {
      examined += 1;
      after = member.position;
      results[member.result] += 1;
      if (!member.sends) continue;
      messages += 1;
      for (const name of await receiversOf(ports, destinations, member))
        receivers.set(name, (receivers.get(name) ?? 0) + 1);
    }
  }
  return {
    examined,
    hasMore,
    applied: results.applied,
    messages,
    decidedByPerson: results.by_person,
    unchanged: results.unchanged,
    overtaken: results.overtaken,
    receivers: [...receivers]
      .filter(([, count]) => count > 0)
      .map(([destination, count]) => ({ destination, messages: count })),
  };
}

/** Returns the destination of each message that the verdict of a member leads to. */
async function receiversOf(
  ports: PreviewPorts,
  destinations: readonly ShownDestination[],
  { caseId, runId, playbook, verdict }: PreviewedMember,
): Promise<string[]> {
  // The delivery of an applied verdict has the id of its run.
  const about = { deliveryId: runId, caseId, runId, playbook, lane: 'batch' };
  const message = await outwardMessage(ports, { ...about, verdict: recordedVerdict(verdict) });
  if (message === null) return [];
  const labels = await labelsAsked(ports.store, destinations, runId);
  const at = { now: ports.now(), answerWithinHours: ports.answerWithinHours };
  return destinations.flatMap((one) =>
    messageDeliveries(one, message, labels, at).map(({ destination }) => destination),
  );
}
