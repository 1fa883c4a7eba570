import type { ExperimentDetail } from '@casefile/contracts';
import { useEffect } from 'react';
import { useExperiment } from '../../api/experiments.js';
import { countOf, countText, moneyText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';
import { TrialPath } from '../trials/trial-path.js';
import { trialOfExperiment } from '../trials/trial.js';
import { ArmTable, Confusion, Differing } from './arm-tables.js';
import { ExperimentActs } from './experiment-acts.js';
import { ExperimentState } from './experiment-state.js';
import { modeInWords, rateInWords, shareText } from './experiment-words.js';
import './experiments.css';

/** Page of one experiment, kept up to date: its finding, both arms side by side, differing cases and acts. */
export default function ExperimentPage({ id }: { id: string }) {
  useEffect(() => void (document.title = 'Experiment · Casefile'), []);
  const { data, error, refetch } = useExperiment(id);
  if (data !== undefined) return <Experiment experiment={data} />;
  if (error !== null)
    return <Failed page what="The experiment could not be read" error={error} retry={() => void refetch()} />;
  return (
    <div className="panel">
      <Skeleton lines={10} label="The experiment is loading" />
    </div>
  );
}

function Experiment({ experiment }: { experiment: ExperimentDetail }) {
  const { name, state, playbook, mode, share, arms, margin, expectedCases, limit, budgetUsd, costUsd } =
    experiment;
  const { comparison, author, createdAt } = experiment;
  return (
    <>
      <header className="experiment-head">
        <h1>
          {visible(name)} <ExperimentState state={state} />
        </h1>
        <p className="quiet">
          {playbook} · {modeInWords(mode)} · {shareText(share)} of the cases · margin {shareText(margin)} ·{' '}
          {countText(expectedCases)} reviewed cases expected ·{' '}
          {mode === 'ab'
            ? `steps back above ${shareText(limit)} errors`
            : `cost ${moneyText(costUsd)}${budgetUsd === null ? '' : ` of ${moneyText(budgetUsd)}`}`}{' '}
          · {visible(author)} <Stamp at={createdAt} />
        </p>
      </header>
      <TrialPath trial={trialOfExperiment(experiment)} current={mode === 'shadow' ? 'shadow' : 'part'} />
      <section className="panel experiment-part" aria-labelledby="finding">
        <h2 id="finding">Finding</h2>
        <Finding comparison={comparison} />
        <ExperimentActs experiment={experiment} />
      </section>
      <section className="panel experiment-part" aria-labelledby="arms">
        <h2 id="arms">Arms</h2>
        <ul>
          {arms.map((arm) => (
            <li key={arm.name}>
              <strong>{arm.name}</strong>{' '}
              {Object.keys(arm.settings).length === 0 ? (
                'the normal settings'
              ) : (
                <code>{visible(JSON.stringify(arm.settings))}</code>
              )}
            </li>
          ))}
        </ul>
        <ArmTable comparison={comparison} />
      </section>
      {comparison.agreement !== null && (
        <section className="panel experiment-part" aria-labelledby="agreement">
          <h2 id="agreement">Agreement</h2>
          <Confusion
            what="Outcome"
            agreement={comparison.agreement.outcome}
            noise={comparison.noise?.outcome}
          />
          <Confusion
            what="Disposition"
            agreement={comparison.agreement.disposition}
            noise={comparison.noise?.disposition}
          />
        </section>
      )}
      {comparison.differingTotal > 0 && (
        <section className="panel experiment-part" aria-labelledby="differing">
          <h2 id="differing">{countOf(comparison.differingTotal, 'case differs', 'cases differ')}</h2>
          <Differing comparison={comparison} />
        </section>
      )}
      <History experiment={experiment} />
    </>
  );
}

const FINDINGS: Record<ExperimentDetail['comparison']['finding'], { tone: Tone; words: string }> = {
  running: { tone: 'neutral', words: 'no case yet' },
  not_enough: { tone: 'neutral', words: 'not enough' },
  at_least_as_good: { tone: 'green', words: 'at least as good' },
  worse: { tone: 'red', words: 'worse' },
  inconclusive: { tone: 'amber', words: 'inconclusive' },
  not_comparable: { tone: 'red', words: 'not comparable' },
};

const points = (value: number): string => `${(value * 100).toFixed(1)}`;

function Finding({ comparison }: { comparison: ExperimentDetail['comparison'] }) {
  const { finding, sentence, moreCases, difference, missing, underWay, sampleRatio } = comparison;
  const { tone, words } = FINDINGS[finding];
  return (
    <>
      <p className="experiment-finding" aria-live="polite">
        <Badge tone={tone}>{words}</Badge>{' '}
        {moreCases > 0 && <Badge tone="amber">{countText(moreCases)} more cases</Badge>} {visible(sentence)}
      </p>
      {difference.reviewed > 0 && (
        <p>
          Difference by feedback: {points(difference.value)} points, {points(difference.low)} to{' '}
          {points(difference.high)} (95 % interval {points(difference.newcombeLow)} to{' '}
          {points(difference.newcombeHigh)}
          ), {countOf(difference.reviewed, 'reviewed case')}.
        </p>
      )}
      <p className="quiet">
        {countOf(underWay, 'run')} under way
        {missing.n > 0 && ` · missing shadow runs: ${rateInWords(missing)}`}
        {sampleRatio !== null &&
          ` · cases of the arms: ${sampleRatio.cases.map(countText).join(' and ')}, ${
            sampleRatio.fits ? 'which fits the share' : 'which does not fit the share'
          }`}
      </p>
      {missing.reasons.length > 0 && (
        <ul className="quiet">
          {missing.reasons.map(({ reason, cases }) => (
            <li key={reason}>
              {visible(reason)}: {countText(cases)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function History({ experiment: { history } }: { experiment: ExperimentDetail }) {
  return (
    <section className="panel experiment-part" aria-labelledby="history">
      <h2 id="history">History</h2>
      <ul>
        {history.map(({ actId, type, by, reason, share, arm, at }) => (
          <li key={actId}>
            <Stamp at={at} /> {visible(by)}: {type.replace('experiment.', '').replaceAll('_', ' ')}
            {share !== null && ` at ${shareText(share)}`}
            {arm !== null && ` ${arm}`}: {visible(reason)}
          </li>
        ))}
      </ul>
    </section>
  );
}
