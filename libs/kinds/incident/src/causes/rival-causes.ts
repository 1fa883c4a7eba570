import type { IncidentResult } from '@casefile/contracts';
import { holdsWords } from '@casefile/pipeline/reading/index';
import type { Incident } from '../alert.js';
import type { Read } from '../look-ups.js';
import { judgeCauses, type Separation, type StatedCause } from './judge-causes.js';
import { rivalsIn, statementsIn } from './stated.js';

/** Returns the causes of a result, first its hypotheses, with the rivals that the look-ups were to separate. */
export function separationOf(
  { hypotheses, ruledOut, trace }: Pick<IncidentResult, 'hypotheses' | 'ruledOut' | 'trace'>,
  reads: readonly Read[],
  incident: Incident,
): Separation {
  const causes: StatedCause[] = [];
  for (const one of [...hypotheses, ...rivalsIn(statementsIn(trace)), ...ruledOut])
    if (!causes.some((known) => isSameCause(known, one, reads))) causes.push(one);
  return judgeCauses(causes, reads, incident);
}

/** Returns whether two causes have the same words, or cite the same line. */
export function isSameCause(a: StatedCause, b: StatedCause, reads: readonly Read[]): boolean {
  if (a.cause.trim().toLowerCase() === b.cause.trim().toLowerCase()) return true;
  return a.citations.some((one) =>
    b.citations.some((other) => one.id === other.id && isSameLine(one.quote, other.quote, one.id, reads)),
  );
}

function isSameLine(one: string, other: string, id: string, reads: readonly Read[]): boolean {
  const lines = reads.find((read) => read.id === id)?.text.split('\n') ?? [];
  return lines.some((line) => holdsWords(line, one) && holdsWords(line, other));
}
