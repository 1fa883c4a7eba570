import type { BatchAsk, JsonObject, VerdictChange, VerdictEffect } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { aVerdict, type StoreBench } from './store-bench.js';
import type { TestRecord } from './test-record.js';

/** The usual steps of specs of batches. */
export function batchBench(at: () => TestRecord) {
  /** Creates decided cases, one per action. */
  async function decided(bench: StoreBench, actions: string[], body = aVerdict): Promise<string[]> {
    const ids: string[] = [];
    for (const action of actions) {
      const { caseId, runId } = await bench.accept();
      await bench.decide(runId, { body: body(action) });
      ids.push(caseId);
    }
    return ids;
  }

  async function aBatch(ask: BatchAsk): Promise<string> {
    const { bench, store } = at();
    const { members, estimateUsd } = await store.batches.pick(ask);
    const id = bench.ids.id();
    const withRuns = members.map((member) => ({ ...member, runId: bench.ids.id() }));
    await store.batches.create({ id, ask, estimateUsd, members: withRuns });
    // Repeated, like a write whose response was lost.
    await store.batches.create({ id, ask, estimateUsd, members: withRuns });
    return id;
  }

  /** Opens waiting members like a driver does, and decides them with these actions. */
  async function judge(id: string, actions: (string | null)[], { compared = true } = {}): Promise<void> {
    const { bench, store } = at();
    const members = await store.batches.waitingMembers(id, actions.length);
    for (const [i, { caseId, baseRunId, runId }] of members.entries()) {
      const settings = aRunSettings({ outward: false });
      const request = { caseId, runId, over: baseRunId, leads: false, settings, firstStage: 'triage' };
      await store.runs.open({ ...request, lane: 'batch' });
      const action = actions[i]!;
      if (action !== null) await bench.decide(runId, { body: aVerdict(action), deliveryId: null });
    }
    await store.batches.markOpened(
      id,
      members.map(({ position }) => position),
      [],
    );
    await store.batches.atWork();
    if (compared) await compare(id);
  }

  /** Compares new verdicts like a driver does. */
  async function compare(id: string): Promise<void> {
    const { batches } = at().store;
    const members = await batches.membersToCompare(id, 1_000);
    const changes = members.map(({ position, earlier, verdict }) => ({
      position,
      change: changeOf(earlier, verdict),
    }));
    await batches.markCompared(id, changes);
  }

  /** Applies some members like a driver does. */
  async function apply(id: string, limit: number, effects: VerdictEffect[] = []): Promise<void> {
    const { store } = at();
    const members = await store.batches.membersToApply(id, limit);
    await store.batches.applyMembers(
      id,
      members.map(({ position }) => ({ position, effects })),
    );
  }

  return { decided, aBatch, judge, compare, apply };
}

// Receivers of these verdicts act on `action` alone.
function changeOf(earlier: JsonObject | null, verdict: JsonObject): VerdictChange {
  const action = (of: JsonObject | null) => (of?.['outcome'] as JsonObject | undefined)?.['action'];
  if (action(earlier) !== action(verdict)) return 'message';
  return earlier?.['degraded'] === true && verdict['degraded'] !== true ? 'basis' : 'none';
}
