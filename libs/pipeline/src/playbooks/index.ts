import { CasefileError } from '@casefile/contracts';
import type { LessonRule } from '../lesson.js';
import { reflectPrompt } from '../evolve/reflection-question.js';
import type { PastCaseRule } from '../past-cases.js';
import type { Playbook } from '../playbook.js';
import { chooseSectionsPrompt } from '../prompts/choose-sections.js';
import { summariseResultPrompt } from '../prompts/summarise-result.js';
import type { Prompt } from '../prompts/prompt.js';
import { summariseSectionsPrompt } from '../prompts/summarise-sections.js';
import { pastMessage } from '../scam/past-messages.js';
import { incident } from './incident/index.js';
import { pastIncident } from './incident/past-cases.js';
import { messageScreening } from './message-screening/index.js';
import { detectedScamLesson } from './message-screening/lesson.js';
import { policyCheck } from './policy-check/index.js';
import { research } from './research/index.js';
import { scamVerdict } from './scam-verdict/index.js';
import { highRiskLesson } from './scam-verdict/lesson.js';

export * from './policy-check/citations/verify-citations.js';
export { heuristicAnswer, type HeuristicAnswer } from './policy-check/rules/check-by-rules.js';
export { patternLookUp } from './message-screening/look-up.js';
export { options as screeningOptions } from './message-screening/options.js';
export { routeMessage } from './message-screening/route-message.js';
export { exampleCase } from './scam-verdict/example.js';
export { textQuery } from './policy-check/rules/content-words.js';

/** All kinds of case. An alert that names none gets the first kind with the strongest claim. */
export const playbooks: readonly Playbook[] = [
  scamVerdict,
  messageScreening,
  policyCheck,
  incident,
  research,
];

/** Rules that derive lessons from people's answers, by kind of case. Other kinds have none. */
export const lessonRules: ReadonlyMap<string, LessonRule> = new Map([
  [scamVerdict.name, highRiskLesson],
  [messageScreening.name, detectedScamLesson],
]);

/** Words by which confirmed cases are compared, by kind of case. Cases of other kinds are not compared. */
export const pastCaseRules: ReadonlyMap<string, PastCaseRule> = new Map([
  [incident.name, pastIncident],
  [scamVerdict.name, pastMessage],
  [messageScreening.name, pastMessage],
]);

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
 * @param among kinds to choose from. Default: the shipped ones.
 * @throws CasefileError `unknown_playbook` that lists the known ones.
 */
export function playbookNamed(name: string, among: readonly Playbook[] = playbooks): Playbook {
  const found = among.find((playbook) => playbook.name === name);
  if (found !== undefined) return found;
  const known = among.map((playbook) => playbook.name).join(', ');
  throw new CasefileError('unknown_playbook', `There is no playbook "${name}". Known: ${known}.`);
}
