import { counted, rich, t } from '../../strings/text.js';
import type { Draft, RunDiff, RunDifference, ShownRun } from '@casefile/contracts';
import { Fragment, type ReactNode } from 'react';
import { readableArtifacts } from '../../api/readable-case.js';
import { useRunDiff } from '../../api/runs.js';
import { countText, moneyText, percentText } from '../../format/numbers.js';
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

/** Two runs of a case: their first difference, and all facts side by side. */
export default function ComparedRuns({ runs }: { runs: readonly [ShownRun, ShownRun] }) {
  return (
    <>
      <RunDifferences runs={runs} />
      <h3 className="visually-hidden">{t('case.factByFact')}</h3>
      <FactTable runs={runs} />
    </>
  );
}

/** A table of facts of two runs. Differences are marked. */
function FactTable({ runs }: { runs: readonly [ShownRun, ShownRun] }) {
  const [a, b] = runs;
  return (
    <div className="panel compare" role="table" aria-label={t('case.twoRunsSideBySide')}>
      <div role="row" className="compare-row compare-head">
        <span role="columnheader">
          <span className="visually-hidden">{t('case.fact')}</span>
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
              {differs && <span className="visually-hidden">{t('case.differs')}</span>}
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
    name: t('case.verdict'),
    text: (run) => run.verdict?.disposition ?? run.status,
    show: (run) =>
      run.verdict === null ? (
        <RunStatusBadge status={run.status} stage={run.stage} />
      ) : (
        <VerdictBadge disposition={run.verdict.disposition} word={run.presentation?.word} />
      ),
  },
  {
    name: t('case.confidence'),
    text: ({ verdict, presentation }) =>
      verdict === null || presentation?.confidenceApplies === false ? '–' : percentText(verdict.confidence),
  },
  { name: t('case.decidedBy'), text: (run) => run.verdict?.method ?? '–' },
  {
    name: t('case.degraded'),
    text: (run) => (run.verdict?.degraded === true ? run.verdict.degradedNote || 'yes' : 'no'),
  },
  { name: t('case.citations'), text: (run) => run.verdict?.citations.join(', ') ?? '–' },
  { name: t('case.strategy'), text: ({ settings }) => settingsInWords(settings).strategy },
  { name: t('case.decisionRule'), text: ({ settings }) => settingsInWords(settings).rule },
  { name: t('case.kind'), text: ({ settings }) => settingsInWords(settings).version },
  { name: t('case.model'), text: ({ settings }) => settingsInWords(settings).model },
  { name: t('case.arm'), text: ({ settings }) => settingsInWords(settings).arm ?? '–' },
  { name: t('case.prompts'), text: ({ settings }) => Object.values(settings.promptIds).join(', ') || '–' },
  { name: t('case.rounds'), text: (run) => String(run.round) },
  {
    name: t('case.evidence'),
    text: (run) =>
      t('case.found', {
        evidence: run.evidence.length - run.gaps.length,
        gaps: counted('count.gap', run.gaps.length),
      }),
  },
  { name: t('case.modelCalls'), text: ({ cost }) => countText(cost.interactions) },
  {
    name: t('case.tokens'),
    text: ({ cost }) =>
      t('case.inOut', {
        inputTokens: countText(cost.inputTokens),
        outputTokens: countText(cost.outputTokens),
      }),
  },
  { name: t('case.cost'), text: ({ cost }) => moneyText(cost.usd) },
  { name: t('case.duration'), text: shownRunTook },
  {
    name: t('case.explanation'),
    text: (run) => runDraft(run)?.explanation ?? '–',
    show: (run) => <SafeMarkdown text={visible(runDraft(run)?.explanation ?? '–')} />,
  },
  { name: t('case.reasons'), text: (run) => visible(run.verdict?.reasons.join('\n') ?? '–') },
  {
    name: t('case.reasoning'),
    text: (run) => run.interactions.map(({ reasoningContent }) => reasoningContent ?? '').join('\n'),
    show: (run) => (
      <Fragment>
        {run.interactions.length === 0 && '–'}
        {run.interactions.map((interaction) => (
          <ReasoningDisplay
            key={interaction.id}
            reasoning={interaction}
            of={t('case.ofRun', { interaction: callName(interaction), id: run.id })}
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
function RunDifferences({ runs: [a, b] }: { runs: readonly [ShownRun, ShownRun] }) {
  const { data, error, refetch } = useRunDiff(a.id, b.id, `${a.status} ${b.status}`);
  if (error !== null)
    return <Failed what={t('case.theRunsCouldNotBe')} error={error} retry={() => void refetch()} />;
  if (data === undefined || [a, b].some(isUnderWay))
    return <Skeleton lines={3} label={t('case.theComparisonIsLoading')} />;
  return (
    <section className="panel run-difference" aria-label={t('case.differences')}>
      <h2>
        {runDiffHeadline(data)} {data.flipped && <Badge tone="amber">{t('case.flipped')}</Badge>}
      </h2>
      <Differences differences={data.differences.filter(({ counts }) => counts)} />
      {data.firstDivergence !== null && <Parted {...data.firstDivergence} />}
    </section>
  );
}

function runDiffHeadline({ same, differences }: RunDiff): string {
  if (same) return t('case.theSameOutcomeConfidenceCitations');
  return counted('count.difference', differences.filter(({ counts }) => counts).length);
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
        {rich('case.firstDifferenceRoundStep', {
          stage,
          round,
          unit: unit === '' ? '' : `, ${visible(unit)}`,
          step,
          what,
          path: path === '' ? '' : t('case.at', { path: visible(path) }),
        })}
      </h3>
      <pre className="diff-pair">
        <del>{visible(a)}</del>
        {'\n'}
        <ins>{visible(b)}</ins>
      </pre>
    </div>
  );
}
