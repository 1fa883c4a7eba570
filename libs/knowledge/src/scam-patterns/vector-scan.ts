import { CasefileError } from '@casefile/contracts';
import type { ScamPatternBase, VectorIndex } from './scam-pattern-base.js';

interface VectorEntry {
  patternId: string;
  language: string;
  /** Normalised to length one, so that the similarity of two vectors is their product. */
  vector: Float32Array;
}

/** A vector index with access to its content. */
export interface VectorScan extends VectorIndex {
  /** Loads the changes since the last refresh; one refresh at a time. */
  refresh(): Promise<void>;
  readonly size: number;
}

/** An exact scan over all vectors of one model, held in this process and updated incrementally. */
export function vectorScan(
  store: Pick<ScamPatternBase, 'patternState' | 'patternsSince' | 'vectorsSince'>,
  model: string,
): VectorScan {
  const byPattern = new Map<string, VectorEntry[]>();
  let entries: VectorEntry[] = [];
  let seenRevision = 0;
  let refreshing: Promise<void> | null = null;

  const takeUp = async (): Promise<void> => {
    const { revision } = await store.patternState();
    if (revision === seenRevision) return;
    const [changed, added] = [
      await store.patternsSince(seenRevision),
      await store.vectorsSince(model, seenRevision),
    ];
    // A changed text has lost its vectors, so they are removed here too.
    for (const { id } of changed) byPattern.delete(id);
    for (const { patternId, language, vector } of added) {
      const others = (byPattern.get(patternId) ?? []).filter((entry) => entry.language !== language);
      byPattern.set(patternId, [...others, { patternId, language, vector: unit(vector) }]);
    }
    entries = [...byPattern.values()].flat();
    seenRevision = revision;
  };
  const refresh = (): Promise<void> => (refreshing ??= takeUp().finally(() => (refreshing = null)));

  return {
    refresh,
    get size() {
      return entries.length;
    },
    nearest: async (vector, limit) => {
      await refresh();
      return nearestByVectors(entries, unit(vector), limit);
    },
  };
}

function nearestByVectors(entries: VectorEntry[], query: Float32Array, limit: number) {
  const scores = new Float32Array(entries.length);
  entries.forEach(({ vector }, i) => {
    if (vector.length !== query.length) throw otherDimension(vector.length, query.length);
    scores[i] = product(vector, query);
  });
  const order = best(scores, limit);
  return order.map((i) => {
    const { patternId, language } = entries[i] as VectorEntry;
    return { patternId, language, similarity: scores[i] ?? 0 };
  });
}

/** Indexes of the `limit` highest scores, the highest first; of equal scores the earlier first. */
function best(scores: Float32Array, limit: number): number[] {
  const topIndexes: number[] = [];
  scores.forEach((score, i) => {
    if (topIndexes.length === limit && score <= (scores[topIndexes[limit - 1] ?? 0] ?? 0)) return;
    let at = topIndexes.length;
    while (at > 0 && (scores[topIndexes[at - 1] ?? 0] ?? 0) < score) at -= 1;
    topIndexes.splice(at, 0, i);
    if (topIndexes.length > limit) topIndexes.pop();
  });
  return topIndexes;
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i += 1) sum += (a[i] as number) * (b[i] as number);
  return sum;
}

function unit(vector: number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (value) => (length === 0 ? 0 : value / length));
}

function otherDimension(storedDimension: number, queryDimension: number): CasefileError {
  const message = `the vectors of the knowledge base have ${storedDimension} dimensions, that of the message ${queryDimension}: import the patterns with --embed-again`;
  return new CasefileError('dimension_mismatch', message);
}
