import { CasefileError } from '@casefile/contracts';
import type { Playbook } from './playbook.js';

interface PlaybookSurroundings {
  playbooks: readonly Playbook[];
  /** Wire names of all tools. */
  tools: readonly string[];
}

/**
 * Checks rules that types cannot express: names are unique, tools exist, a strategy calls only tools of its
 * playbook, and at least one strategy asks no model.
 * @throws CasefileError `bad_playbook` that lists every problem and its fix.
 */
export function checkPlaybooks({ playbooks, tools }: PlaybookSurroundings): void {
  const names = playbooks.map((playbook) => playbook.name);
  const twice = names.filter((name, i) => names.indexOf(name) !== i);
  const problems = [
    ...twice.map((name) => `playbook "${name}" is listed twice: remove one`),
    ...playbooks.flatMap((playbook) => playbookProblems(playbook, tools)),
  ];
  if (problems.length === 0) return;
  throw new CasefileError('bad_playbook', `The playbooks are wrong:\n- ${problems.join('\n- ')}`);
}

function playbookProblems({ name, tools: own, strategies }: Playbook, known: readonly string[]): string[] {
  const named = Object.entries(strategies);
  return [
    ...own
      .filter((tool) => !known.includes(tool))
      .map(
        (tool) =>
          `playbook "${name}" names the tool "${tool}", which does not exist: add it to the list of evidence tools or name one of ${known.join(', ') || '(none)'}`,
      ),
    ...named.flatMap(([strategy, { tools = [] }]) =>
      tools
        .filter((tool) => !own.includes(tool))
        .map(
          (tool) =>
            `the strategy "${strategy}" of playbook "${name}" calls the tool "${tool}", which the playbook has not: add it to its tools`,
        ),
    ),
    ...(named.some(([, { prompts }]) => Object.keys(prompts).length === 0)
      ? []
      : [`playbook "${name}" has no strategy that asks no model: give it one by rules`]),
  ];
}
