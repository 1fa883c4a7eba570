import { rich, t } from '../../strings/text.js';
import type { RunSpan, ShownRun } from '@casefile/contracts';
import { reasonInWords } from '@casefile/contracts/reason-codes';
import { useRunSpans } from '../../api/runs.js';
import { countText, moneyText, percentText } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import { visible } from '../../format/visible.js';
import { useNow } from '../../shell/now.js';
import { cx } from '../../ui/cx.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { waterfall, type SpanRow } from './span-rows.js';
import './waterfall.css';

interface RunWaterfallProps {
  run: ShownRun;
  /** Element id of the selected step. */
  selected: string | null;
}

/** The time of a run on one axis. Each stage and call is a link to its step. */
export function RunWaterfall({ run, selected }: RunWaterfallProps) {
  const { data, error, refetch } = useRunSpans(run);
  const now = useNow();
  if (data === undefined)
    return error === null ? (
      <Skeleton lines={6} label={t('case.theSpansAreLoading')} />
    ) : (
      <Failed what={t('case.theSpansCouldNotBe')} error={error} retry={() => void refetch()} />
    );
  const { ms, rows, longest } = waterfall(data, now);
  return (
    <>
      {longest !== null && (
        <p className="waterfall-longest">
          {rich('case.inAllLongest', {
            ms: durationText(ms),
            strong: <strong>{spanName(longest.span)}</strong>,
            kind:
              longest.span.kind !== 'stage' &&
              longest.span.stage !== null &&
              t('case.at2', { stage: longest.span.stage }),
            ms2: durationText(longest.ms),
            ms3: percentText(longest.ms / ms),
          })}
        </p>
      )}
      <ol className="waterfall-rows">
        {rows.map((row) => (
          <Row
            key={row.span.id}
            row={row}
            isLongest={row === longest}
            isSelected={row.target !== null && row.target === selected && row.span.kind !== 'wait'}
          />
        ))}
        <li className="waterfall-row" aria-hidden="true">
          <span className="waterfall-axis quiet num">
            <span>0</span>
            <span>{durationText(ms / 2)}</span>
            <span>{durationText(ms)}</span>
          </span>
        </li>
      </ol>
    </>
  );
}

interface RowProps {
  row: SpanRow;
  isLongest: boolean;
  isSelected: boolean;
}

function Row({ row, isLongest, isSelected }: RowProps) {
  const { span, depth, from, width, worked, ms, target } = row;
  const name = spanName(span);
  const place = { left: `${from * 100}%`, width: `${width * 100}%` };
  const share = worked === null ? undefined : { width: `${worked * 100}%` };
  return (
    <li
      className={cx(
        'waterfall-row',
        isLongest && 'waterfall-is-longest',
        isSelected && 'waterfall-is-selected',
      )}
    >
      <span
        className={cx('waterfall-name', depth > 0 && 'waterfall-inner', depth > 1 && 'waterfall-innermost')}
      >
        {target === null ? (
          name
        ) : (
          <a href={`#${encodeURIComponent(target)}`} aria-current={isSelected ? 'step' : undefined}>
            {name}
          </a>
        )}
        {span.state === 'failed' && <span className="waterfall-failed">{t('case.failed')}</span>}
      </span>
      <span className="waterfall-track" aria-hidden="true">
        <span className={`waterfall-bar waterfall-${span.kind} waterfall-${span.state}`} style={place}>
          {share !== undefined && <span className="waterfall-worked" style={share} />}
        </span>
      </span>
      <span className="waterfall-facts quiet num">{factsText(span, ms)}</span>
    </li>
  );
}

function factsText(span: RunSpan, ms: number): string {
  const tokens = span.inputTokens + span.outputTokens;
  return [
    durationText(ms),
    ...(span.attempts > 1 ? [t('case.attempts', { attempts: span.attempts })] : []),
    ...(tokens > 0 ? [t('case.tokens2', { tokens: countText(tokens) }), moneyText(span.costUsd)] : []),
  ].join(' · ');
}

const WAITS: Record<string, string> = {
  worker: t('case.untilTheFirstCall'),
  signal: t('case.waitForAnAnswer'),
  parked: t('case.parked2'),
};

function spanName({ kind, name, round, unit, reasonCode }: RunSpan): string {
  if (kind === 'wait')
    return WAITS[name] ?? t('case.wait', { reasonCode: reasonInWords(reasonCode ?? name) });
  if (kind !== 'stage') return visible(name);
  const where = [
    ...((round ?? 1) > 1 ? [t('case.round', { round: round ?? 1 })] : []),
    ...(unit ? [visible(unit)] : []),
  ];
  return where.length === 0 ? name : `${name}, ${where.join(', ')}`;
}
