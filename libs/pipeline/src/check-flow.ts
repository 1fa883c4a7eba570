import { CasefileError, type ArtifactName } from '@casefile/contracts';
import type { Stage } from './stage.js';

/**
 * Holds a flow to its rules: names unique, nothing read before it is written (of the round before,
 * anything any stage appends may be read), every artifact appended by one stage, the last stage joins
 * and appends the verdict.
 * @throws CasefileError `bad_flow` that lists every breach and its mend.
 */
export function checkFlow(flow: readonly Stage[]): void {
  const problems = [...repeated(flow), ...readTooEarly(flow), ...badEnd(flow)];
  if (problems.length > 0)
    throw new CasefileError('bad_flow', `The flow is wrong:\n- ${problems.join('\n- ')}`);
}

function repeated(flow: readonly Stage[]): string[] {
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
