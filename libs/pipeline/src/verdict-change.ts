import {
  canonicalJson,
  type Json,
  type JsonObject,
  type Verdict,
  type VerdictChange,
} from '@casefile/contracts';
import type { Playbook } from './playbook.js';

type Kind = Pick<Playbook, 'outward' | 'presenting'>;

/**
 * Returns the parts of a verdict that receivers act on: the disposition, the verdict in the words of its kind, the
 * severity, the deciding fields, and the parts that the kind adds. Explanations, citations, figures and times are
 * not among them. Neither is `degraded`: the disposition already accounts for missing parts.
 */
export function actedOnParts({ outward, presenting }: Kind, verdict: Verdict): JsonObject {
  const { outcome, disposition } = outward(verdict).verdict(null);
  const fields = ['severity', ...Object.keys(presenting.judged?.shape ?? {})];
  const deciding = fields.flatMap((field): [string, Json][] =>
    outcome[field] === undefined ? [] : [[field, outcome[field]]],
  );
  return {
    disposition,
    word: presenting.word({ outcome, disposition }),
    deciding: Object.fromEntries(deciding),
    ...(presenting.actedOn === undefined ? {} : { further: presenting.actedOn(outcome) }),
  };
}

/**
 * Returns how a verdict differs from the one that it is to replace.
 * @param earlier null: the case has no verdict yet.
 */
export function verdictChange(kind: Kind, earlier: Verdict | null, verdict: Verdict): VerdictChange {
  if (earlier === null) return 'message';
  const [before, after] = [earlier, verdict].map((one) => canonicalJson(actedOnParts(kind, one)));
  if (before !== after) return 'message';
  return earlier.degraded && !verdict.degraded ? 'basis' : 'none';
}
