import type { Finding, RunSettings } from '@casefile/contracts';
import type { Critique, ReviewInput } from '../stage-parts.js';

/** Prefix of the codes of findings that contradict the conclusion of an answer. */
const PREFIX = 'contradicts_';

/** Recorded evidence that contradicts the conclusion of an answer. */
export interface Contradiction {
  /** Source, for example `text_signals`. */
  by: string;
  /** A sentence for people that quotes both sides. */
  message: string;
}

/** Returns the recorded contradictions of a draft's conclusion; empty: none. */
export type FindContradictions = (input: ReviewInput, settings: RunSettings) => Contradiction[];

/**
 * Wraps a critique and adds contradictions between the record and the conclusion. A model can quote correctly
 * and conclude wrongly, which a check of its words does not find. Each contradiction becomes a finding, and
 * the ruling is at least WARN.
 */
export function contradicting(find: FindContradictions, critique: Critique): Critique {
  return async (input, ports) => {
    const outcome = await critique(input, ports);
    if (!('artifact' in outcome)) return outcome;
    const contradictions = find(input, ports.run.settings).map(contradictionFinding);
    if (contradictions.length === 0) return outcome;
    const { ruling, findings, ...rest } = outcome.artifact;
    return {
      ...outcome,
      artifact: {
        ...rest,
        ruling: ruling === 'PASS' ? 'WARN' : ruling,
        findings: [...contradictions, ...findings],
      },
    };
  };
}

/** Returns whether this finding contradicts the conclusion of an answer. */
export function isContradiction({ code }: Finding): boolean {
  return code.startsWith(PREFIX);
}

/** Returns the finding of a contradiction. */
export function contradictionFinding({ by, message }: Contradiction): Finding {
  return { id: `${PREFIX}${by}`, code: `${PREFIX}${by}`, message };
}
