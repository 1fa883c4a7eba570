import { performance } from 'node:perf_hooks';
import type { CaseDocument } from '@casefile/contracts';
import { median, type Row } from '../ratios/report.js';
import { KINDS, type Kind, type TrustCase } from '../trust-run/trust-case.js';
import type { TrustWorld } from '../trust-run/trust-world.js';

/** Limits: growth of the own time per case, and further model calls per case. */
const MOST_RATIO = 1.1;
const MOST_CALLS = 1;

/** Worlds that differ only in the cross-examination. */
export interface Worlds {
  on: TrustWorld;
  off: TrustWorld;
}

/** Costs of the same cases with and without cross-examination. */
export interface Cost {
  kind: Kind;
  cases: number;
  /** Own time per case in milliseconds, by round. The model answers immediately. */
  onMs: number[];
  offMs: number[];
  /** Median of the ratios of the rounds. */
  ratio: number;
  /** Further calls: total, and the highest number of one case. */
  calls: number;
  mostCalls: number;
  /** Number of questions: the criteria of a policy check, or the cases of another kind. */
  units: number;
}

/**
 * Judges the same cases in both worlds in several rounds, of which the first only warms up. Each case is judged in both worlds
 * one after the other, so that a busy machine slows both; which one begins alternates.
 */
export async function costOf(
  worlds: Worlds,
  kind: Kind,
  cases: readonly TrustCase[],
  rounds: number,
): Promise<Cost> {
  const onMs: number[] = [];
  const offMs: number[] = [];
  let further: number[] = [];
  let units = 0;
  for (let round = 0; round <= rounds; round += 1) {
    const spent = { on: 0, off: 0 };
    further = [];
    units = 0;
    for (const [at, one] of cases.entries()) {
      const order = (round + at) % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const);
      const calls = { on: 0, off: 0 };
      for (const name of order) {
        const start = performance.now();
        const document = await worlds[name].judge(one, 'labels');
        spent[name] += performance.now() - start;
        calls[name] = callsIn(document);
        if (name === 'on') units += unitsIn(document);
      }
      further.push(calls.on - calls.off);
    }
    if (round === 0) continue;
    onMs.push(spent.on / cases.length);
    offMs.push(spent.off / cases.length);
  }
  return {
    kind,
    cases: cases.length,
    onMs,
    offMs,
    ratio: median(onMs.map((ms, at) => ms / offMs[at]!)),
    calls: further.reduce((sum, count) => sum + count, 0),
    mostCalls: Math.max(...further),
    units,
  };
}

const callsIn = ({ runs: [run] }: CaseDocument): number => run?.interactions.length ?? 0;
const unitsIn = ({ runs: [run] }: CaseDocument): number =>
  new Set(run?.artifacts.filter(({ artifact }) => artifact === 'draft').map(({ unit }) => unit)).size;

/** Returns the costs as rows of a table. */
export function rowsOf(costs: readonly Cost[]): Row[] {
  return costs.map(({ kind, cases, units, onMs, offMs, ratio, calls, mostCalls }) => ({
    name: `${kind}, ${cases} honest cases`,
    figure:
      `${median(onMs).toFixed(1)} ms a case, without ${median(offMs).toFixed(1)}; ` +
      `${calls} further calls for ${units} ${units === cases ? 'cases' : 'criteria'}, at most ${mostCalls} per case`,
    ratio,
    wanted: `<= ${MOST_RATIO} x, ${MOST_CALLS} call`,
  }));
}

/** Returns one sentence per missed limit. */
export function missedIn(costs: readonly Cost[]): string[] {
  return costs.flatMap(({ kind, ratio, calls, mostCalls, units, cases }) => [
    ...(ratio > MOST_RATIO ? [`${kind}: the own time is ${ratio.toFixed(2)} x.`] : []),
    ...(units === cases && mostCalls > MOST_CALLS
      ? [`${kind}: a case pays ${mostCalls} further calls.`]
      : []),
    ...(calls > MOST_CALLS * units ? [`${kind}: ${calls} further calls for ${units} criteria.`] : []),
  ]);
}

/** Returns honest cases of each kind, spread evenly over its set. */
export function spreadCases(all: readonly TrustCase[], count: number): Map<Kind, TrustCase[]> {
  return new Map(
    KINDS.map((kind) => {
      const own = all.filter((one) => one.kind === kind && one.honest);
      const step = Math.max(1, own.length / count);
      const picked = Array.from(
        { length: Math.min(count, own.length) },
        (_, at) => own[Math.floor(at * step)]!,
      );
      return [kind, picked] as const;
    }),
  );
}
