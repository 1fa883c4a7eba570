import type { RunDiff, RunDifference } from '@casefile/contracts';
import { excerpt, oneLine } from '@casefile/kit/output/escape';

const LONGEST = 70;

/**
 * Returns the differences of two runs: those that count, then the first divergence, then those that do not
 * count.
 */
export function diffLines({ a, b, same, flipped, differences, firstDivergence }: RunDiff): string[] {
  const counted = differences.filter(({ counts }) => counts);
  const others = differences.filter(({ counts }) => !counts);
  const verdict = same
    ? 'the same: outcome, confidence, citations, tool path and requests'
    : `${flipped ? 'flipped' : 'not flipped'}, ${counted.length} ${counted.length === 1 ? 'difference' : 'differences'}`;
  return [
    `${a} -> ${b}: ${verdict}`,
    ...counted.map(runDifferenceLine),
    ...(firstDivergence === null ? [] : firstDifferenceLines(firstDivergence)),
    ...(others.length === 0 ? [] : ['other differences:', ...others.map(runDifferenceLine)]),
  ];
}

function runDifferenceLine({ what, a, b }: RunDifference): string {
  return `  ${oneLine(what)}: ${quoted(a)} -> ${quoted(b)}`;
}

function firstDifferenceLines({
  stage,
  round,
  unit,
  step,
  what,
  path,
  a,
  b,
}: NonNullable<RunDiff['firstDivergence']>): string[] {
  const place = [stage, `round ${round}`, ...(unit === '' ? [] : [unit]), `step ${step}`].join(', ');
  const where = path === '' ? what : `${what}, ${path}`;
  return [
    `first difference at ${oneLine(place)} (${oneLine(where)}):`,
    `  - ${quoted(a)}`,
    `  + ${quoted(b)}`,
  ];
}

const quoted = (text: string): string => excerpt(text, LONGEST) || '(none)';
