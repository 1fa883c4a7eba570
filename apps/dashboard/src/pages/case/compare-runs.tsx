import type { Draft, RunDiff, RunDifference, ShownRun } from '@casefile/contracts';
import { Fragment, type ReactNode } from 'react';
import { readableArtifacts } from '../../api/readable-case.js';
import { useRunDiff } from '../../api/runs.js';
import { countOf, countText, moneyText, percentText } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import { visible } from '../../format/visible.js';
import { ReasoningDisplay } from '../../reasoning/reasoning-display.js';
import { Badge } from '../../ui/badge.js';
import { cx } from '../../ui/cx.js';
import { SafeMarkdown } from '../../ui/markdown.js';
import { RunStatusBadge } from '../../ui/run-status.js';
import { Stamp } from '../../ui/stamp.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { VerdictBadge } from '../../ui/verdict-badge.js';
import { callName } from './interaction-card.js';
import { settingsInWords } from './settings-words.js';

interface Row {
  name: string;
  /** Text to compare. A row is marked if the texts of the two runs differ. */
  text(run: ShownRun): string;
  show?(run: ShownRun): ReactNode;
}

/** Two runs of a case in a table. Differences are marked. */
export function CompareRuns({ runs }: { runs: readonly [ShownRun, ShownRun] }) {
  const [a, b] = runs;
  return (
    <div className="panel compare" role="table" aria-label="Two runs side by side">
      <div role="row" className="compare-row compare-head">
        <span role="columnheader">
          <span className="visually-hidden">Fact</span>
        </span>
        {runs.map((run, index) => (
          <span role="columnheader" key={index}>
            <span className="mono">{run.id.slice(-8)}</span> · {run.lane} · <Stamp at={run.createdAt} />
          </span>
        ))}
      </div>
      {ROWS.map(({ name, text, show }) => {
        const differs = text(a) !== text(b);
        return (
          <div role="row" key={name} className={cx('compare-row', differs && 'compare-differs')}>
            <span role="rowheader">
              {name}
              {differs && <span className="visually-hidden"> (differs)</span>}
            </span>
            {runs.map((run, index) => (
              <span role="cell" key={index}>
                {(show ?? text)(run)}
              </span>
            ))}
          </div>
        );
      })}
    </div>
  );
}

const ROWS: readonly Row[] = [
  {
    name: 'Verdict',
    text: (run) => run.verdict?.disposition ?? run.status,
    show: (run) =>
      run.verdict === null ? (
        <RunStatusBadge status={run.status} stage={run.stage} />
      ) : (
        <VerdictBadge disposition={run.verdict.disposition} word={run.presentation?.word} />
      ),
  },
  {
    name: 'Confidence',
    text: ({ verdict, presentation }) =>
      verdict === null || presentation?.confidenceApplies === false ? '–' : percentText(verdict.confidence),
  },
  { name: 'Decided by', text: (run) => run.verdict?.method ?? '–' },
  {
    name: 'Degraded',
    text: (run) => (run.verdict?.degraded === true ? run.verdict.degradedNote || 'yes' : 'no'),
  },
  { name: 'Citations', text: (run) => run.verdict?.citations.join(', ') ?? '–' },
  { name: 'Strategy', text: ({ settings }) => settingsInWords(settings).strategy },
  { name: 'Decision rule', text: ({ settings }) => settingsInWords(settings).rule },
  { name: 'Kind', text: ({ settings }) => settingsInWords(settings).version },
  { name: 'Model', text: ({ settings }) => settingsInWords(settings).model },
  { name: 'Arm', text: ({ settings }) => settingsInWords(settings).arm ?? '–' },
  { name: 'Prompts', text: ({ settings }) => Object.values(settings.promptIds).join(', ') || '–' },
  { name: 'Rounds', text: (run) => String(run.round) },
  {
    name: 'Evidence',
    text: (run) => `${run.evidence.length - run.gaps.length} found, ${countOf(run.gaps.length, 'gap')}`,
  },
  { name: 'Model calls', text: ({ cost }) => countText(cost.interactions) },
  {
    name: 'Tokens',
    text: ({ cost }) => `${countText(cost.inputTokens)} in, ${countText(cost.outputTokens)} out`,
  },
  { name: 'Cost', text: ({ cost }) => moneyText(cost.usd) },
  { name: 'Duration', text: shownRunTook },
  {
    name: 'Explanation',
    text: (run) => runDraft(run)?.explanation ?? '–',
    show: (run) => <SafeMarkdown text={visible(runDraft(run)?.explanation ?? '–')} />,
  },
  { name: 'Reasons', text: (run) => visible(run.verdict?.reasons.join('\n') ?? '–') },
  {
    name: 'Reasoning',
    text: (run) => run.interactions.map(({ reasoningContent }) => reasoningContent ?? '').join('\n'),
    show: (run) => (
      <Fragment>
        {run.interactions.length === 0 && '–'}
        {run.interactions.map((interaction) => (
          <ReasoningDisplay
            key={interaction.id}
            reasoning={interaction}
            of={`${callName(interaction)} of run ${run.id}`}
          />
        ))}
      </Fragment>
    ),
  },
];

function shownRunTook({ createdAt, decidedAt }: ShownRun): string {
  return decidedAt === null ? '–' : durationText(Date.parse(decidedAt) - Date.parse(createdAt));
}

function runDraft(run: ShownRun): Draft | undefined {
  return readableArtifacts(run.artifacts)
    .filter(({ artifact }) => artifact === 'draft')
    .sort((a, b) => b.round - a.round)
    .map(({ body }) => body as unknown as Draft)[0];
}

const isUnderWay = ({ status }: ShownRun): boolean => ['due', 'running', 'suspended'].includes(status);

/** Differences between two runs, and the first difference. */
export function RunDifferences({ runs: [a, b] }: { runs: readonly [ShownRun, ShownRun] }) {
  const { data, error, refetch } = useRunDiff(a.id, b.id, `${a.status} ${b.status}`);
  if (error !== null)
    return <Failed what="The runs could not be compared" error={error} retry={() => void refetch()} />;
  if (data === undefined || [a, b].some(isUnderWay))
    return <Skeleton lines={3} label="The comparison is loading" />;
  return (
    <section className="panel run-difference" aria-label="Differences">
      <h2>
        {runDiffHeadline(data)} {data.flipped && <Badge tone="amber">flipped</Badge>}
      </h2>
      <Differences differences={data.differences.filter(({ counts }) => counts)} />
      {data.firstDivergence !== null && <Parted {...data.firstDivergence} />}
    </section>
  );
}

function runDiffHeadline({ same, differences }: RunDiff): string {
  if (same) return 'The same outcome, confidence, citations, tool path and requests';
  return countOf(differences.filter(({ counts }) => counts).length, 'difference');
}

function Differences({ differences }: { differences: RunDifference[] }) {
  if (differences.length === 0) return null;
  return (
    <ul>
      {differences.map(({ what, a, b }) => (
        <li key={what}>
          <strong>{visible(what)}</strong>: {visible(a)} → {visible(b)}
        </li>
      ))}
    </ul>
  );
}

function Parted({ stage, round, unit, step, what, path, a, b }: NonNullable<RunDiff['firstDivergence']>) {
  return (
    <div>
      <h3>
        First difference: {stage}, round {round}
        {unit === '' ? '' : `, ${visible(unit)}`}, step {step}: {what}
        {path === '' ? '' : ` at ${visible(path)}`}
      </h3>
      <pre className="diff-pair">
        <del>{visible(a)}</del>
        {'\n'}
        <ins>{visible(b)}</ins>
      </pre>
    </div>
  );
}
