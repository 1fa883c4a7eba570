import { CasefileError, type RunSettings } from '@casefile/contracts';
import { reflectPrompt } from './evolve/reflection-question.js';
import type { Playbook } from './playbook.js';
import { chooseSectionsPrompt } from './prompts/choose-sections.js';
import type { Prompt } from './prompts/prompt.js';
import { summariseResultPrompt } from './prompts/summarise-result.js';
import { summariseSectionsPrompt } from './prompts/summarise-sections.js';

/** Returns the prompts of the strategies of a playbook. */
export function strategyPrompts({ strategies }: Pick<Playbook, 'strategies'>): Prompt[] {
  return Object.values(strategies).flatMap(({ prompts, thinkAloud }) => [
    ...Object.values(prompts),
    ...(thinkAloud === undefined ? [] : [thinkAloud]),
  ]);
}

/** Returns the prompts of these playbooks, of the tools, of summaries of long results and of imports. */
export function kindPrompts(kinds: readonly Playbook[]): Prompt[] {
  const own = kinds.flatMap(strategyPrompts);
  return [
    ...new Set([...own, chooseSectionsPrompt, reflectPrompt, summariseResultPrompt, summariseSectionsPrompt]),
  ];
}

/**
 * Returns the kind of case of this name.
 * @param settings settings of a run that needs the kind, for the message. Default: no run does.
 * @throws CasefileError `unknown_playbook` that lists the known ones.
 */
export function playbookNamed(
  name: string,
  among: readonly Playbook[],
  settings?: Pick<RunSettings, 'playbookVersion' | 'kindDigest'>,
): Playbook {
  const playbookOfName = among.find((playbook) => playbook.name === name);
  if (playbookOfName !== undefined) return playbookOfName;
  const known = among.map((playbook) => playbook.name).join(', ');
  const needed =
    settings === undefined
      ? ''
      : ` The run needs its version ${settings.playbookVersion}${settings.kindDigest === undefined ? '' : ` (SHA-256 ${settings.kindDigest})`}: install the kind by CASEFILE_KINDS or the section kinds.`;
  throw new CasefileError('unknown_playbook', `There is no playbook "${name}". Known: ${known}.${needed}`);
}
