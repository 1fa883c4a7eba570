import type { ShownExperiment } from '@casefile/contracts';
import { useState } from 'react';
import { useExperimentAct, useFlag, type ExperimentActForm } from '../../api/experiments.js';
import { useToast } from '../../shell/toasts.js';
import { visible } from '../../format/visible.js';
import { Button } from '../../ui/button.js';
import { Stamp } from '../../ui/stamp.js';
import { errorMessage } from '../../ui/states.js';
import { AddedByVersion } from '../prompts/prompt-text.js';
import { shareText } from './experiment-words.js';

type ExperimentAct = ExperimentActForm['act'];

/** Acts that each state allows, the most common first. */
const ACTS: Record<ShownExperiment['state'], readonly ExperimentAct[]> = {
  draft: ['start', 'share'],
  running: ['share', 'promote', 'stop'],
  stopped: ['start', 'share', 'promote'],
  stepped_back: ['reset'],
  promoted: [],
};
const NAMES: Record<ExperimentAct, string> = {
  start: 'Start',
  share: 'Set the weight',
  stop: 'Abort',
  promote: 'Promote to all cases',
  reset: 'Reset the step back',
  on: 'Resume the new arm',
  off: 'Pause the new arm',
};
const DONE: Record<ExperimentAct, string> = {
  start: 'The experiment is running',
  share: 'The weight was changed',
  stop: 'The experiment was stopped',
  promote: 'The new arm was promoted',
  reset: 'The step back was reset',
  on: 'The new arm judges its share of the cases',
  off: 'New runs use the normal settings',
};

/** Acts on an experiment. Each act needs a reason. */
export function ExperimentActs({ experiment }: { experiment: ShownExperiment }) {
  const { id, state, share } = experiment;
  const [reason, setReason] = useState('');
  const [percent, setPercent] = useState('');
  const [configuration, setConfiguration] = useState<string | null>(null);
  const { mutate, isPending } = useExperimentAct(id);
  const toast = useToast();
  const flag = useFlag(id);
  const switched = flag?.variant === 'on' ? ('off' as const) : ('on' as const);
  const acts = state === 'running' && flag !== null ? [...ACTS[state], switched] : ACTS[state];
  const run = (act: ExperimentAct) =>
    mutate(act === 'share' ? { act, reason, share: Number(percent) / 100 } : { act, reason }, {
      onSuccess: (answer) => {
        // The page can show the act before its response is here, and the next reason may be typed already.
        setReason((now) => (now === reason ? '' : now));
        if ('configuration' in answer && answer.configuration !== null)
          setConfiguration(JSON.stringify(answer.configuration, null, 2));
        toast({ title: DONE[act] });
      },
      onError: (error) =>
        toast({ title: 'The experiment was not changed', text: errorMessage(error), isError: true }),
    });
  const isDisabled = (act: ExperimentAct) =>
    isPending || reason.trim() === '' || (act === 'share' && percent === '');
  return (
    <>
      {flag !== null && (
        <p className="quiet">
          The flag of the new arm is {flag.variant}: {visible(flag.by)} <Stamp at={flag.changedAt} />,{' '}
          {visible(flag.reason)}
        </p>
      )}
      {acts.includes('promote') &&
        Object.entries(experiment.arms[1]?.settings.prompts ?? {}).map(([name, version]) => (
          <AddedByVersion key={name} of={{ playbook: experiment.playbook, name }} version={version} />
        ))}
      {acts.length > 0 && (
        <form className="experiment-acts" onSubmit={(event) => event.preventDefault()}>
          <label>
            <span>Reason</span>
            <input className="field" value={reason} onChange={(event) => setReason(event.target.value)} />
          </label>
          {acts.map((act, i) => (
            <span key={act} className="experiment-acts">
              {act === 'share' && (
                <label>
                  <span>New weight, in percent (now {shareText(share)})</span>
                  <input
                    className="field"
                    inputMode="decimal"
                    value={percent}
                    onChange={(event) => setPercent(event.target.value)}
                  />
                </label>
              )}
              <Button
                kind={i === 0 ? 'primary' : 'plain'}
                disabled={isDisabled(act)}
                onClick={() => run(act)}
              >
                {NAMES[act]}
              </Button>
            </span>
          ))}
        </form>
      )}
      {configuration !== null && (
        <div>
          <p>New runs use the other settings of the arm once a file of CASEFILE_CONFIG has them:</p>
          <pre tabIndex={0} aria-label="Settings for the configuration">
            {configuration}
          </pre>
        </div>
      )}
    </>
  );
}
