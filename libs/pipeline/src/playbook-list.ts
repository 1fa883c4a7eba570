import { CasefileError, type RunSettings } from '@casefile/contracts';
import { reflectPrompt, REFLECTING } from './evolve/reflecting.js';
import type { Playbook } from './playbook.js';
import { chooseSectionsPrompt, summariseResultPrompt, summariseSectionsPrompt } from './tool-questions.js';
import type { Prompt } from './prompts/prompt.js';
import { withInjectedMessage } from './evolve/injected-cases.js';
import type { Presenting } from './present.js';

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

/**
 * Returns the playbook of a run: that of its kind. If the run reflects on a prompt of the kind, the playbook asks for
 * another text and judges nothing. If the run has an injected message, its brief contains the message.
 */
export function playbookForRun(settings: RunSettings, among: readonly Playbook[]): Playbook {
  const kind = playbookNamed(settings.playbook, among);
  if (settings.reflection !== undefined) return { ...kind, ...REFLECTING };
  return settings.injected === undefined ? kind : withInjectedMessage(kind, settings.injected);
}

/** Returns the rules by which the verdict of a run is displayed. */
export function presentingForRun(
  { reflection }: Pick<RunSettings, 'reflection'>,
  presenting: Presenting | undefined,
): Presenting | undefined {
  return reflection === undefined ? presenting : REFLECTING.presenting;
}
