import type { Brief, EvidenceItem, LeftOut, RunSettings } from '@casefile/contracts';
import type { Collect } from '../stage-parts.js';

/** Results collected in a round, before they become evidence. */
export interface SiftInput {
  brief: Brief;
  settings: RunSettings;
  /** Evidence of earlier rounds. */
  known: readonly EvidenceItem[];
  /** Evidence of the alert (first round only), then the answers of tools, in the order of the requests. */
  found: readonly EvidenceItem[];
}

/**
 * Returns the evidence of a round and the items that the rules of the playbook leave out. One answer may
 * become several items.
 */
export type Sift = (input: SiftInput) => { items: EvidenceItem[]; leftOut: LeftOut[] };

/** Wraps a collect stage so that its results pass the rules of the playbook. Ids are given afterwards. */
export function sifting(sift: Sift, collect: Collect): Collect {
  return async (input, ports) => {
    const outcome = await collect(input, ports);
    if (outcome.kind !== 'done') return outcome;
    const { evidence } = input.previous;
    const known = evidence?.items ?? [];
    const newItems = outcome.artifact.items.slice(known.length);
    const kept = sift({ brief: input.brief, settings: ports.run.settings, known, found: newItems });
    const leftOut = [...(evidence?.leftOut ?? []), ...kept.leftOut];
    const items = kept.items.map((item, i) => ({ ...item, id: `E${known.length + i + 1}` }));
    return {
      ...outcome,
      artifact: {
        ...outcome.artifact,
        items: [...known, ...items],
        ...(leftOut.length === 0 ? {} : { leftOut }),
      },
    };
  };
}
