import {
  CasefileError,
  type ArtifactName,
  type Done,
  type moves,
  type Revise,
  type Search,
} from '@casefile/contracts';
import type { Stage } from './stage.js';
import { collect, critique, decide, reason, triage, write } from './stages.js';

/** The pipeline. The order of this list determines which stage follows which. */
export const flow: readonly Stage[] = [triage, collect, reason, critique, write, decide];

/** First stage of the next round, after a revision and after a search for more evidence. */
const ROUND_ENTRY = { revise: reason.name, search: collect.name } as const;

/**
 * Checks the rules of a flow. Names are unique. An artifact is appended before it is read (any artifact of
 * the previous round may be read) and by only one stage. The last stage joins and appends the verdict.
 * @throws CasefileError `bad_flow` that lists every problem and its fix.
 */
export function checkFlow(flow: readonly Stage[]): void {
  const problems = [...repeatedFlow(flow), ...readTooEarly(flow), ...badEnd(flow)];
  if (problems.length > 0)
    throw new CasefileError('bad_flow', `The flow is wrong:\n- ${problems.join('\n- ')}`);
}

function repeatedFlow(flow: readonly Stage[]): string[] {
  const twice = (values: string[]) => values.filter((value, i) => values.indexOf(value) !== i);
  return [
    ...twice(flow.map((stage) => stage.name)).map((name) => `stage "${name}" is listed twice: remove one`),
    ...twice(flow.map((stage) => stage.appends)).map(
      (name) => `two stages append "${name}": each artifact has one author`,
    ),
  ];
}

function readTooEarly(flow: readonly Stage[]): string[] {
  const all = new Set<ArtifactName>(flow.map((stage) => stage.appends));
  const written = new Set<ArtifactName>();
  return flow.flatMap((stage) => {
    const early = stage.reads.filter((name) => !written.has(name));
    const never = stage.readsPrevious.filter((name) => !all.has(name));
    written.add(stage.appends);
    return [
      ...early.map(
        (name) => `stage "${stage.name}" reads "${name}" before it is written: move it behind its author`,
      ),
      ...never.map(
        (name) => `stage "${stage.name}" reads "${name}" of the round before, but no stage appends it`,
      ),
    ];
  });
}

function badEnd(flow: readonly Stage[]): string[] {
  const last = flow.at(-1);
  if (last === undefined) return ['the flow is empty'];
  const problems: string[] = [];
  if (last.appends !== 'verdict') problems.push(`the last stage "${last.name}" must append the verdict`);
  if (!last.joins) problems.push(`the last stage "${last.name}" must join the units`);
  return problems;
}

/**
 * Decides which stage a unit continues with. A revision or a search opens the next round. If the rounds are
 * used up, the unit continues as if it were done.
 * @returns null at the end of the flow.
 */
export function handOn(
  flow: readonly Stage[],
  stage: Stage,
  at: { unit: string; round: number; maxRounds: number },
  outcome: Done<unknown> | Revise<unknown> | Search<unknown>,
): moves.Onward | null {
  if (outcome.kind !== 'done' && at.round < at.maxRounds) {
    return { next: { stage: ROUND_ENTRY[outcome.kind], round: at.round + 1 }, joinStage: null, units: [] };
  }
  const position = flow.findIndex((other) => other.name === stage.name);
  const following = flow[position + 1];
  if (following === undefined) return null;
  const units = outcome.kind === 'done' ? (outcome.units ?? []) : [];
  if (units.length > 0) return openedFlow(flow, position, { stage: following.name, round: at.round }, units);
  const waits = following.joins && at.unit !== '';
  return {
    next: waits ? null : { stage: following.name, round: at.round },
    joinStage: waits ? following.name : null,
    units: [],
  };
}

function openedFlow(
  flow: readonly Stage[],
  position: number,
  next: moves.Onward['next'],
  units: string[],
): moves.Onward {
  const joinStage = flow.slice(position + 2).find((stage) => stage.joins);
  if (joinStage === undefined)
    throw new CasefileError('bad_flow', 'units were opened but no later stage joins them');
  return { next, joinStage: joinStage.name, units };
}
