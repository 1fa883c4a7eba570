import { areBothFailing, type ProcessState, type WatchedExperiment } from '@casefile/contracts';
import { STALE_AFTER_MS } from '../rollout/rollout-copy.js';
import { running, serviceNames, type ConditionRule } from './condition-facts.js';

const STEP_BACK = { id: 'step_back', severity: 'warning' } as const;

/** An experiment stepped back automatically, and no person has reset it. */
export const stepBacks: ConditionRule = {
  ids: () => [STEP_BACK],
  reads: ['experiments'],
  holding: ({ experiments }) => {
    const back = experiments.filter(({ flag }) => flag.latched);
    const [first] = back;
    if (first === undefined) return [];
    const why = ({ name, flag }: WatchedExperiment) => `${name}: ${flag.reason}`;
    return [
      {
        ...STEP_BACK,
        since: earliest(back.map(({ flag }) => flag.changedAt)),
        text:
          back.length === 1
            ? `The experiment ${first.name} stepped back: ${first.flag.reason}`
            : `${back.length} experiments stepped back: ${back.map(why).join('; ')}`,
        effect: 'New runs use the normal settings. The experiment does not continue on its own.',
        act: `Fix the cause, then reset the experiment: casefile experiments reset ${first.id} --reason WHY`,
        link: back.length === 1 ? `/experiments/${first.id}` : '/improve/trials',
      },
    ];
  },
};

const BOTH_ARMS = { id: 'both_arms_fail', severity: 'warning' } as const;

/** Both arms of an experiment fail, so the cause is something that they share, such as a provider. */
export const bothArmsFail: ConditionRule = {
  ids: () => [BOTH_ARMS],
  reads: ['experiments'],
  holding: ({ experiments }) => {
    const failing = experiments.filter((one) => !one.flag.latched && areBothFailing(one));
    if (failing.length === 0) return [];
    const faults = failing.flatMap(({ changed }) => changed.last.filter(({ isShared }) => isShared));
    const codes = [...new Set(faults.flatMap(({ fault }) => fault ?? []))].sort().join(', ');
    const [name, ...others] = failing.map((one) => one.name);
    const of = others.length === 0 ? `the experiment ${name}` : `${failing.length} experiments`;
    return [
      {
        ...BOTH_ARMS,
        since: earliest(faults.map(({ at }) => at)),
        text: `Both arms of ${of} fail: ${codes}`,
        effect: 'These faults are not counted against the new arm, and the experiment continues.',
        act: 'Check the provider that both arms ask: its state is on the page Providers and cost.',
        link: '/operate/cost#providers',
      },
    ];
  },
};

const COPY_STALE = { id: 'flag_copy_stale', severity: 'warning' } as const;

/** A process does not read flags and prompt versions, although it reports. */
export const copyStale: ConditionRule = {
  ids: () => [COPY_STALE],
  reads: ['services'],
  holding: ({ processes }) => {
    const ageOf = ({ rolloutAgeMs }: ProcessState) => rolloutAgeMs ?? 0;
    const stale = running(processes).filter((process) => ageOf(process) > STALE_AFTER_MS);
    if (stale.length === 0) return [];
    const names = serviceNames(stale);
    const has = stale.flatMap(({ services }) => services).length === 1 ? 'has' : 'have';
    return [
      {
        ...COPY_STALE,
        since: earliest(
          stale.map((process) => new Date(Date.parse(process.seenAt) - ageOf(process)).toISOString()),
        ),
        text: `${names.charAt(0).toUpperCase()}${names.slice(1)} ${has} not read flags and prompt versions for more than 10 s`,
        effect:
          'New runs of this process belong to no experiment, and have the prompt versions that it read last.',
        act: 'Check its connection to the database; its log at the level debug has the error.',
        link: '/',
      },
    ];
  },
};

function earliest(times: readonly string[]): string | null {
  return [...times].sort()[0] ?? null;
}
