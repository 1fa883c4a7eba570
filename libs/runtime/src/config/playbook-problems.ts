import type { FieldProblem } from '@casefile/contracts';
import type { Playbook } from '@casefile/pipeline';
import type { SettingsFile } from './settings-schema.js';

/**
 * Returns problems of names in these settings: unknown kinds of case, and strategies that a kind does not
 * offer.
 */
export function playbookProblems(
  settings: Pick<SettingsFile, 'playbooks' | 'intake' | 'reviews' | 'retention' | 'budgets'>,
  playbooks: readonly Pick<Playbook, 'name' | 'strategies'>[],
): FieldProblem[] {
  const { intake, reviews, retention, budgets } = settings;
  const playbookNamed = (name: string) => playbooks.find((one) => one.name === name);
  const playbookNames = playbooks.map((one) => one.name).join(', ');
  const unknown = (path: string) => ({
    path,
    message: `there is no such playbook; expected one of ${playbookNames}`,
  });
  const ofEvents = Object.entries(intake.cloudEventTypes).flatMap(([type, name]) =>
    playbookNamed(name) === undefined ? [unknown(`intake.cloudEventTypes.${type}`)] : [],
  );
  const ofAlerts = intake.playbookBy.flatMap(({ playbook }, index) =>
    playbookNamed(playbook) === undefined ? [unknown(`intake.playbookBy[${index}].playbook`)] : [],
  );
  const ofKinds = Object.entries(settings.playbooks).flatMap(([name, { strategy }]) => {
    const playbook = playbookNamed(name);
    if (playbook === undefined) return [unknown(`playbooks.${name}`)];
    const strategies = Object.keys(playbook.strategies);
    if (strategy === undefined || strategies.includes(strategy)) return [];
    return [{ path: `playbooks.${name}.strategy`, message: `expected one of ${strategies.join(', ')}` }];
  });
  const unlessKnown = (path: string, byKind: object, others: readonly string[] = []) =>
    Object.keys(byKind)
      .filter((name) => playbookNamed(name) === undefined && !others.includes(name))
      .map((name) => unknown(`${path}.${name}`));
  return [
    ...ofEvents,
    ...ofAlerts,
    ...ofKinds,
    ...unlessKnown('reviews.answerWithinHours', reviews.answerWithinHours, ['default']),
    ...unlessKnown('retention', retention, ['default']),
    ...unlessKnown('budgets.playbook', budgets.playbook),
  ];
}
