import { CasefileError } from '@casefile/contracts';
import { reflectPrompt } from './evolve/reflection-question.js';
import type { Playbook } from './playbook.js';
import { chooseSectionsPrompt } from './prompts/choose-sections.js';
import type { Prompt } from './prompts/prompt.js';
import { summariseResultPrompt } from './prompts/summarise-result.js';
import { summariseSectionsPrompt } from './prompts/summarise-sections.js';

/** Returns the prompts of these playbooks, of the tools, of summaries of long results and of imports. */
export function kindPrompts(kinds: readonly Playbook[]): Prompt[] {
  const own = kinds.flatMap(({ strategies }) =>
    Object.values(strategies).flatMap(({ prompts, thinkAloud }) => [
      ...Object.values(prompts),
      ...(thinkAloud === undefined ? [] : [thinkAloud]),
    ]),
  );
  return [
    ...new Set([...own, chooseSectionsPrompt, reflectPrompt, summariseResultPrompt, summariseSectionsPrompt]),
  ];
}

/**
 * Returns the kind of case of this name.
 * @throws CasefileError `unknown_playbook` that lists the known ones.
 */
export function playbookNamed(name: string, among: readonly Playbook[]): Playbook {
  const found = among.find((playbook) => playbook.name === name);
  if (found !== undefined) return found;
  const known = among.map((playbook) => playbook.name).join(', ');
  throw new CasefileError('unknown_playbook', `There is no playbook "${name}". Known: ${known}.`);
}
