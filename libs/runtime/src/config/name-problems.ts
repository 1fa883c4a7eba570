import type { FieldProblem } from '@casefile/contracts';
import { toolNames } from '@casefile/evidence';
import type { Kind } from '@casefile/kit';
import { flow, type Playbook } from '@casefile/pipeline';
import { noSuch } from './no-such.js';
import type { SettingsFile } from './settings-schema.js';

/**
 * Returns problems of names in these settings: kinds of case, tools and stages that do not exist, whose settings
 * would silently change nothing, and strategies that a kind does not offer.
 */
export function nameProblems(
  settings: SettingsFile,
  installed: readonly Pick<Kind, 'playbook' | 'tools'>[],
): FieldProblem[] {
  const playbooks = installed.map(({ playbook }) => playbook);
  const tools = [...toolNames, ...installed.flatMap((kind) => kind.tools.map(({ name }) => name))];
  const { intake, reviews, retention, budgets, evidence, concurrency } = settings;
  const kinds = playbooks.map(({ name }) => name);
  const stages = flow.map(({ name }) => name);
  const unknownKind = (name: string, path: string) =>
    kinds.includes(name) ? [] : [noSuch('playbook', path, kinds)];
  return [
    ...Object.entries(intake.cloudEventTypes).flatMap(([type, name]) =>
      unknownKind(name, `intake.cloudEventTypes.${type}`),
    ),
    ...intake.playbookBy.flatMap(({ playbook }, index) =>
      unknownKind(playbook, `intake.playbookBy[${index}].playbook`),
    ),
    ...unknownKeys('playbook', 'playbooks', settings.playbooks, kinds),
    ...strategyProblems(settings.playbooks, playbooks),
    ...unknownKeys('playbook', 'reviews.answerWithinHours', reviews.answerWithinHours, kinds, ['default']),
    ...unknownKeys('playbook', 'retention', retention, kinds, ['default']),
    ...unknownKeys('playbook', 'budgets.playbook', budgets.playbook, kinds),
    ...unknownKeys('tool', 'tools', settings.tools, tools),
    ...unknownKeys('tool', 'evidence.allowedHosts', evidence.allowedHosts, tools),
    ...unknownKeys('stage', 'concurrency', concurrency, stages),
  ];
}

/** @param others Keys with a meaning of their own. */
function unknownKeys(
  noun: string,
  path: string,
  entries: object,
  known: readonly string[],
  others: readonly string[] = [],
): FieldProblem[] {
  const valid = [...known, ...others];
  return Object.keys(entries)
    .filter((key) => !valid.includes(key))
    .map((key) => noSuch(noun, `${path}.${key}`, valid));
}

function strategyProblems(
  settings: SettingsFile['playbooks'],
  playbooks: readonly Pick<Playbook, 'name' | 'strategies'>[],
): FieldProblem[] {
  return playbooks.flatMap(({ name, strategies }) => {
    const strategy = settings[name]?.strategy;
    const offered = Object.keys(strategies);
    if (strategy === undefined || offered.includes(strategy)) return [];
    return [{ path: `playbooks.${name}.strategy`, message: `expected one of ${offered.join(', ')}` }];
  });
}
