import {
  MOST_PREVIEWED,
  recordedVerdict,
  type BatchChoice,
  type BatchPreview,
  type PreviewedMember,
} from '@casefile/contracts';
import { matchesWhen } from '@casefile/runtime';
import type { ConsolePorts } from './console-ports.js';
import { destinationsInForce } from './destinations-in-force.js';

/** Members that are read in one query. */
const PAGE = 200;

type PreviewPorts = Pick<ConsolePorts, 'store' | 'destinations'>;

/** Counts what applying chosen cases of a batch would do now. It examines at most `MOST_PREVIEWED` new verdicts. */
export async function previewApply(
  ports: PreviewPorts,
  batchId: string,
  choice: BatchChoice,
): Promise<BatchPreview> {
  const destinations = await destinationsInForce(ports);
  const receivers = new Map(destinations.map(({ name }) => [name, 0]));
  const results = { applied: 0, by_person: 0, unchanged: 0, overtaken: 0 };
  let [examined, messages, after, hasMore] = [0, 0, -1, true];
  while (hasMore && examined < MOST_PREVIEWED) {
    const members = await ports.store.batches.preview(batchId, choice, after, PAGE + 1);
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

async function receiversOf(
  { store }: PreviewPorts,
  destinations: Awaited<ReturnType<typeof destinationsInForce>>,
  { runId, playbook, verdict: body }: PreviewedMember,
): Promise<string[]> {
  const isByLabel = destinations.some(({ when }) => when.labels !== undefined);
  const labels = isByLabel ? await store.destinations.labels(runId) : {};
  const verdict = recordedVerdict(body);
  return destinations
    .filter(({ when }) => matchesWhen(when, { playbook, verdict }, labels))
    .map(({ name }) => name);
}
