import type { ShownExperiment } from '@casefile/contracts';
import { Link } from 'wouter';
import { useExperiments } from '../../api/experiments.js';
import { visible } from '../../format/visible.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';
import { ExperimentForm } from '../experiments/experiment-form.js';
import { ExperimentState } from '../experiments/experiment-state.js';
import { modeInWords, shareText } from '../experiments/experiment-words.js';
import '../experiments/experiments.css';

/** All experiments, and a form for a new one. */
export function Experiments() {
  const { data, error, refetch } = useExperiments();
  return (
    <>
      <ExperimentForm />
      {data === undefined ? (
        error === null ? (
          <div className="panel">
            <Skeleton lines={6} label="Experiments are loading" />
          </div>
        ) : (
          <Failed what="The experiments could not be read" error={error} retry={() => void refetch()} />
        )
      ) : data.experiments.length === 0 ? (
        <Empty title="No experiments">
          An experiment compares two ways of judging, such as two versions of a prompt, on real cases.
        </Empty>
      ) : (
        <ul className="panel experiment-list">
          {data.experiments.map((one) => (
            <Entry key={one.id} experiment={one} />
          ))}
        </ul>
      )}
    </>
  );
}

function Entry({ experiment }: { experiment: ShownExperiment }) {
  const { id, name, playbook, mode, share, state, author, createdAt } = experiment;
  return (
    <li>
      <Link href={`/experiments/${id}`}>{visible(name)}</Link> <ExperimentState state={state} />
      <span className="quiet">
        {playbook} · {modeInWords(mode)} · {shareText(share)} of the cases · {visible(author)}{' '}
        <Stamp at={createdAt} />
      </span>
    </li>
  );
}
