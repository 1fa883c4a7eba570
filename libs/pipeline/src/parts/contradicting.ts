import type { Finding, RunSettings } from '@casefile/contracts';
import type { Critique, ReviewInput } from '../stage-parts.js';

/** What begins the code of a finding that speaks against the conclusion of an answer. */
const PREFIX = 'contradicts_';

/** Something on the record that speaks against the conclusion of an answer. */
export interface Contradiction {
  /** Such as `text_signals`. */
  by: string;
  /** A sentence for people that quotes both sides. */
  message: string;
}

/** What contradicts the conclusion of a draft, computed from the record; empty: nothing. */
export type FindContradictions = (input: ReviewInput, settings: RunSettings) => Contradiction[];

/**
 * Critique by `critique`, and by what on the record contradicts the conclusion: a model can quote correctly and conclude
 * wrongly, which no check of its words finds. Each contradiction is a finding, and the ruling is at least WARN. T-01.
 * @param since The version of the playbook from which its runs are judged so: replays of earlier ones stay as they were.
 */
export function contradicting(find: FindContradictions, since: number, critique: Critique): Critique {
  return async (input, ports) => {
    const outcome = await critique(input, ports);
    if (!('artifact' in outcome) || Number(ports.run.settings.playbookVersion) < since) return outcome;
    const found = find(input, ports.run.settings).map(findingOf);
    if (found.length === 0) return outcome;
    const { ruling, findings, ...rest } = outcome.artifact;
    return {
      ...outcome,
      artifact: {
        ...rest,
        ruling: ruling === 'PASS' ? 'WARN' : ruling,
        findings: [...found, ...findings],
      },
    };
  };
}

/** Does this finding speak against the conclusion of an answer? */
export function isContradiction({ code }: Finding): boolean {
  return code.startsWith(PREFIX);
}

function findingOf({ by, message }: Contradiction): Finding {
  return { id: `${PREFIX}${by}`, code: `${PREFIX}${by}`, message };
}
