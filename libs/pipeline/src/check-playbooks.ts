import { CasefileError } from '@casefile/contracts';
import type { Playbook } from './playbook.js';
import { policies } from './policies/index.js';
import { reviewers } from './reviewers/index.js';
import { strategies } from './strategies/index.js';

/** Where strategies that ask for an answer find their question. */
const PROMPTS: Record<string, 'answer' | 'answers' | 'controller'> = {
  'single-shot': 'answer',
  grounded: 'answers',
  react: 'controller',
};

export interface PlaybookSurroundings {
  playbooks: readonly Playbook[];
  /** Wire names of the tools there are. */
  tools: readonly string[];
}

/**
 * Holds playbooks to what there is: their strategy, reviewer, policy and tools exist, names are unique.
 * @throws CasefileError `bad_playbook` that lists every breach and its mend.
 */
export function checkPlaybooks({ playbooks, tools }: PlaybookSurroundings): void {
  const names = playbooks.map((playbook) => playbook.name);
  const twice = names.filter((name, i) => names.indexOf(name) !== i);
  const problems = [
    ...twice.map((name) => `playbook "${name}" is listed twice: remove one`),
    ...playbooks.flatMap((playbook) => problemsOf(playbook, tools)),
  ];
  if (problems.length === 0) return;
  throw new CasefileError('bad_playbook', `The playbooks are wrong:\n- ${problems.join('\n- ')}`);
}

function problemsOf(playbook: Playbook, tools: readonly string[]): string[] {
  const namesOf = (list: readonly { name: string }[]) => list.map((entry) => entry.name);
  const needs: [what: string, wanted: string, known: readonly string[], list: string][] = [
    ['strategy', playbook.strategy, playbook.strategies, 'its own list of strategies'],
    ...playbook.strategies.map((strategy): [string, string, readonly string[], string] => [
      'strategy',
      strategy,
      namesOf(strategies),
      'strategies/index.ts',
    ]),
    ['reviewer', playbook.reviewer, namesOf(reviewers), 'reviewers/index.ts'],
    ['policy', playbook.policy, namesOf(policies), 'policies/index.ts'],
    ...(playbook.controller?.tools ?? []).map((tool): [string, string, readonly string[], string] => [
      'tool for its controller',
      tool,
      playbook.tools,
      'its own list of tools',
    ]),
    ...playbook.tools.map((tool): [string, string, readonly string[], string] => [
      'tool',
      tool,
      tools,
      'the list of evidence tools',
    ]),
  ];
  const missing = needs
    .filter(([, wanted, known]) => !known.includes(wanted))
    .map(
      ([what, wanted, known, list]) =>
        `playbook "${playbook.name}" names the ${what} "${wanted}", which does not exist: add it to ${list} or name one of ${known.join(', ') || '(none)'}`,
    );
  const mute = playbook.strategies.flatMap((strategy) => {
    const prompt = PROMPTS[strategy];
    return prompt === undefined || playbook[prompt] !== undefined ? [] : [prompt];
  });
  return [
    ...missing,
    ...mute.map(
      (prompt) => `playbook "${playbook.name}" asks for an answer but has no prompt: give it \`${prompt}\``,
    ),
  ];
}
