import type { ExperimentDetail, ShownExperiment, Comparison, ShownAgreement } from '@casefile/contracts';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { useExperiment } from '../../api/experiments.js';
import { countOf, countText, moneyText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';
import { TrialPath } from '../trials/trial-path.js';
import { trialOfExperiment } from '../trials/trial.js';
import { ExperimentActs } from './experiment-acts.js';
import {
  modeInWords,
  rateInWords,
  shareText,
  EXPERIMENT_STATES,
  ARM_LINES,
  valueLines,
} from './experiment-words.js';
import './experiments.css';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';
import { ScrollTable } from '../../ui/scroll-table.js';
import { ChangedVerdict } from '../trials/changed-verdict.js';
import '../../ui/table.css';
import '../trials/trials.css';

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
            what="Verdict"
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

/** The state of an experiment in words. */
function ExperimentState({ state }: Pick<ShownExperiment, 'state'>) {
  const { tone, words } = EXPERIMENT_STATES[state];
  return <Badge tone={tone}>{words}</Badge>;
}

/** Both arms side by side, with counts and 95 % intervals. */
function ArmTable({ comparison: { arms } }: { comparison: Comparison }) {
  const groups = [
    { name: 'Figures', lines: ARM_LINES },
    { name: 'Outcome', lines: valueLines(arms, 'outcomes') },
    { name: 'Verdict', lines: valueLines(arms, 'dispositions') },
  ];
  return groups.map(({ name, lines }) => (
    <section key={name} aria-label={name}>
      <h3>{name}</h3>
      <table className="table table-stacked experiment-arms">
        <thead>
          <tr>
            <th scope="col">
              <span className="visually-hidden">{name}</span>
            </th>
            {arms.map(({ arm }) => (
              <th key={arm} scope="col">
                {arm}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {lines.map(({ what, of }) => (
            <tr key={what}>
              <th scope="row">{visible(what)}</th>
              {arms.map((arm) => (
                <td key={arm.arm} data-label={arm.arm}>
                  {of(arm)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  ));
}

/**
 * Agreement of both arms on the same cases: one row per label of the control, one column per label of the new
 * arm.
 */
function Confusion({
  what,
  agreement,
  noise,
}: {
  what: string;
  agreement: ShownAgreement;
  noise: ShownAgreement | undefined;
}) {
  const { same, kappa, low, high, labels, counts } = agreement;
  return (
    <>
      <h3>{what}</h3>
      <p>
        Same: {rateInWords(same)}
        {kappa !== null &&
          ` · kappa ${kappa.toFixed(2)}${low === null ? '' : ` (${low.toFixed(2)}–${high?.toFixed(2)})`}`}
        {noise !== undefined &&
          noise.same.n > 0 &&
          ` · the control judged again: ${rateInWords(noise.same)} the same`}
      </p>
      {labels.length > 0 && (
        <ScrollTable label={`${what}: control in rows, new arm in columns`}>
          <thead>
            <tr>
              <th scope="col">Control \ new arm</th>
              {labels.map((label) => (
                <th key={label} scope="col">
                  {visible(label)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, row) => (
              <tr key={label}>
                <th scope="row">{visible(label)}</th>
                {labels.map((other, column) => (
                  <td key={other} className={row === column ? undefined : 'quiet'}>
                    {countText(counts[row]?.[column] ?? 0)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </ScrollTable>
      )}
    </>
  );
}

/** Cases that the arms judge differently; each leads to both runs side by side. */
function Differing({ comparison: { differing, differingTotal } }: { comparison: Comparison }) {
  return (
    <>
      <DataTable
        name="differing"
        label="Cases that the arms judge differently"
        rows={differing}
        columns={DIFFERING}
        rowKey={({ runId }) => runId}
      />
      {differing.length < differingTotal && (
        <p className="quiet">
          The first {countOf(differing.length, 'case')} of {countText(differingTotal)}.
        </p>
      )}
    </>
  );
}

const DIFFERING: readonly Column<Comparison['differing'][number]>[] = [
  {
    name: 'Case',
    cell: ({ caseId, controlRunId, runId }) => (
      <Link href={`/cases/${caseId}?run=${controlRunId}&with=${runId}`}>
        {caseId.slice(-8)}, side by side
      </Link>
    ),
    value: ({ caseId }) => caseId,
  },
  {
    name: 'Control arm',
    cell: ({ control, changed }) => <ChangedVerdict of={control} other={changed} />,
    value: ({ control }) => control.action ?? control.disposition,
  },
  {
    name: 'New arm',
    cell: ({ control, changed }) => <ChangedVerdict of={changed} other={control} />,
    value: ({ changed }) => changed.action ?? changed.disposition,
  },
  {
    name: 'Right, by feedback',
    cell: ({ right }) => right !== null && <Badge tone={TONES[right]}>{right}</Badge>,
    value: ({ right }) => right,
  },
];

const TONES = { control: 'red', changed: 'green', both: 'neutral', neither: 'amber' } as const;
