import type { QualityRow, QualityShare, ShownEvaluation } from '@casefile/contracts';
import { Link } from 'wouter';
import { countText, moneyText, percentText } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import { visible } from '../../format/visible.js';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';
import { kindHref } from '../trials/trial.js';

interface QualityTableProps {
  rows: readonly QualityRow[];
  /** Column by which the rows are grouped. Default: only by kind. */
  by?: string;
  /** Start of the shown period. */
  from: string;
}

/** One row per kind or group: share of right verdicts, open questions, cost and time. */
export function QualityTable({ rows, by, from }: QualityTableProps) {
  return (
    <DataTable
      name="quality"
      label="Figures by kind"
      look="figures"
      rows={rows}
      columns={[...kindColumns(by, from), ...PER_VERDICT]}
      rowKey={({ playbook, group }) => `${playbook} ${group ?? ''}`}
    />
  );
}

function casesOf({ playbook }: QualityRow, from: string): string {
  return `/cases?${new URLSearchParams({ playbook, from }).toString()}`;
}

function kindColumns(by: string | undefined, from: string): Column<QualityRow>[] {
  const group: Column<QualityRow> = {
    name: by ?? '',
    cell: (row) => (row.group === null ? 'none' : visible(row.group)),
    value: (row) => row.group,
    className: 'quality-group',
  };
  return [
    {
      name: 'Kind',
      cell: ({ playbook }) => <Link href={kindHref(playbook)}>{playbook}</Link>,
      value: ({ playbook }) => playbook,
    },
    ...(by === undefined ? [] : [group]),
    {
      name: 'Verdicts',
      cell: (row) => <Link href={casesOf(row, from)}>{countText(row.verdicts)}</Link>,
      value: ({ verdicts }) => verdicts,
    },
    { name: 'Labels', cell: ({ labels }) => countText(labels), value: ({ labels }) => labels },
    {
      name: 'Right',
      cell: ({ accuracy }) => <Share share={accuracy} />,
      value: ({ accuracy }) => accuracy.share,
    },
    {
      name: 'Right, estimated for all',
      cell: ({ estimatedAccuracy }) => <Estimate of={estimatedAccuracy} />,
      value: ({ estimatedAccuracy }) => estimatedAccuracy?.value ?? null,
    },
    {
      name: 'Right when act',
      cell: ({ precisionOfAct }) => <Share share={precisionOfAct} />,
      value: ({ precisionOfAct }) => precisionOfAct.share,
    },
    {
      name: 'Review',
      cell: (row) => (
        <Link href={`${casesOf(row, from)}&disposition=review`}>{shareText(row.reviewShare)}</Link>
      ),
      value: ({ reviewShare }) => reviewShare.share,
    },
    shareColumn('Degraded', ({ degradedShare }) => degradedShare),
    shareColumn('Citations right', ({ citationAccuracy }) => citationAccuracy),
  ];
}

/** Returns a column of shares without their intervals. */
export function shareColumn<Row>(name: string, of: (row: Row) => QualityShare): Column<Row> {
  return { name, cell: (row) => shareText(of(row)), value: (row) => of(row).share };
}

type PerVerdict = Pick<
  ShownEvaluation,
  'unpricedCalls' | 'costUsdPerVerdict' | 'tokensPerVerdict' | 'p50Ms' | 'p95Ms'
>;

const timeText = (ms: number | null): string => (ms === null ? 'none' : durationText(ms));

/** Columns of the cost, tokens and time of a verdict. */
export const PER_VERDICT: readonly Column<PerVerdict>[] = [
  {
    name: 'Cost',
    cell: ({ costUsdPerVerdict, unpricedCalls }) =>
      `${moneyText(costUsdPerVerdict)}${unpricedCalls > 0 ? ' or more' : ''}`,
    value: ({ costUsdPerVerdict }) => costUsdPerVerdict,
  },
  {
    name: 'Tokens',
    cell: ({ tokensPerVerdict }) => countText(Math.round(tokensPerVerdict ?? 0)),
    value: ({ tokensPerVerdict }) => tokensPerVerdict,
  },
  { name: 'p50', cell: ({ p50Ms }) => timeText(p50Ms), value: ({ p50Ms }) => p50Ms },
  { name: 'p95', cell: ({ p95Ms }) => timeText(p95Ms), value: ({ p95Ms }) => p95Ms },
];

/** A share with its 95 % interval. */
export function Share({ share: { share, low, high } }: { share: QualityShare }) {
  if (share === null || low === null || high === null) return <span className="quiet">no labels</span>;
  return (
    <>
      {percentText(share)}{' '}
      <span className="quiet">
        ({Math.round(low * 100)} to {Math.round(high * 100)})
      </span>
    </>
  );
}

/** Estimated share of right verdicts among all, with its 95 % interval. */
function Estimate({ of }: { of: QualityRow['estimatedAccuracy'] }) {
  if (of === null) return <span className="quiet">too few labels</span>;
  return (
    <>
      {percentText(of.value)}{' '}
      <span className="quiet">
        ({Math.round(of.low * 100)} to {Math.round(of.high * 100)})
      </span>
    </>
  );
}

/** `92 %`, or `none` if nothing was counted. */
export function shareText({ share }: QualityShare): string {
  return share === null ? 'none' : percentText(share);
}
