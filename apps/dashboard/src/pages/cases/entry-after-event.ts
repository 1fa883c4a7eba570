import type { CaseListEntry, EventRecord, JsonObject, Json, VerdictBrief } from '@casefile/contracts';

/** Returns the entry after an event of its case, or the same object if nothing changed. */
export function afterEvent(
  entry: CaseListEntry,
  { type, caseId, runId, data, at }: EventRecord,
): CaseListEntry {
  if (caseId !== entry.caseId || (entry.runId !== null && runId !== entry.runId)) return entry;
  switch (type) {
    case 'stage.completed':
      return { ...entry, ...changedFields(data), updatedAt: at };
    case 'interaction.completed':
      return {
        ...entry,
        hasReasoning: entry.hasReasoning || data['hasReasoning'] === true,
        costUsd: entry.costUsd + asNumber(data['costUsd']),
      };
    case 'verdict.decided':
      return {
        ...entry,
        status: 'decided',
        runStatus: 'decided',
        stage: null,
        verdict: caseListEntryVerdict(entry, data, at),
      };
    case 'run.stopped':
      return { ...entry, runStatus: 'stopped', updatedAt: at };
    case 'run.quarantined':
      return { ...entry, runStatus: 'quarantined', updatedAt: at };
    default:
      return entry;
  }
}

function changedFields(data: JsonObject): Partial<CaseListEntry> {
  const next = data['next'];
  if (typeof next !== 'object' || next === null || Array.isArray(next)) return {};
  const { stage, round } = next;
  return typeof stage === 'string' ? { stage, round: asNumber(round), runStatus: 'due' } : {};
}

function caseListEntryVerdict(entry: CaseListEntry, data: JsonObject, at: string): VerdictBrief | null {
  const { disposition, confidence, method, action, degraded, degradedBy, degradedNote } = data;
  if (!isDisposition(disposition)) return entry.verdict;
  return {
    disposition,
    confidence: asNumber(confidence),
    confidenceSource: method === 'heuristic' ? 'heuristic' : 'llm',
    method: method === 'heuristic' || method === 'demonstration' ? method : 'llm',
    action: typeof action === 'string' ? action : null,
    degraded: degraded === true,
    degradedBy: Array.isArray(degradedBy) ? degradedBy.filter((code) => typeof code === 'string') : [],
    degradedNote: typeof degradedNote === 'string' ? degradedNote : '',
    decidedAt: at,
    // The event has none of these fields. Until the list is read again, the safe values are shown.
    confidenceApplies: entry.verdict?.confidenceApplies ?? false,
    word: entry.verdict?.disposition === disposition ? entry.verdict.word : disposition,
    outcome: entry.verdict?.outcome ?? {},
  };
}

function isDisposition(value: Json | undefined): value is VerdictBrief['disposition'] {
  return value === 'act' || value === 'review' || value === 'dismiss';
}

function asNumber(value: Json | undefined): number {
  return typeof value === 'number' ? value : 0;
}
