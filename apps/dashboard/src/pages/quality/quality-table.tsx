import type { QualityRow, QualityShare, ShownEvaluation } from '@casefile/contracts';
import { Link } from 'wouter';
import { countText, moneyText, percentText } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import { visible } from '../../format/visible.js';
import { ScrollTable } from '../../ui/scroll-table.js';
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
    <ScrollTable label="Figures by kind">
      <thead>
        <tr>
          <th scope="col">Kind</th>
          {by !== undefined && <th scope="col">{by}</th>}
          <th scope="col">Verdicts</th>
          <th scope="col">Labels</th>
          <th scope="col">Right</th>
          <th scope="col">Right, estimated for all</th>
          <th scope="col">Right when act</th>
          <th scope="col">Review</th>
          <th scope="col">Degraded</th>
          <th scope="col">Citations right</th>
          <th scope="col">Cost</th>
          <th scope="col">Tokens</th>
          <th scope="col">p50</th>
          <th scope="col">p95</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.playbook} ${row.group ?? ''}`}>
            <th scope="row">
              <Link href={kindHref(row.playbook)}>{row.playbook}</Link>
            </th>
            {by !== undefined && (
              <td className="quality-group">{row.group === null ? 'none' : visible(row.group)}</td>
            )}
            <td>
              <Link href={casesOf(row, from)}>{countText(row.verdicts)}</Link>
            </td>
            <td>{countText(row.labels)}</td>
            <td>
              <Share share={row.accuracy} />
            </td>
            <td>
              <Estimate of={row.estimatedAccuracy} />
            </td>
            <td>
              <Share share={row.precisionOfAct} />
            </td>
            <td>
              <Link href={`${casesOf(row, from)}&disposition=review`}>{shareText(row.reviewShare)}</Link>
            </td>
            <td>{shareText(row.degradedShare)}</td>
            <td>{shareText(row.citationAccuracy)}</td>
            <PerVerdict of={row} />
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

function casesOf({ playbook }: QualityRow, from: string): string {
  return `/cases?${new URLSearchParams({ playbook, from }).toString()}`;
}

/** Cells of the cost, tokens and time of a verdict. */
export function PerVerdict({
  of: { unpricedCalls, costUsdPerVerdict, tokensPerVerdict, p50Ms, p95Ms },
}: {
  of: Pick<ShownEvaluation, 'unpricedCalls' | 'costUsdPerVerdict' | 'tokensPerVerdict' | 'p50Ms' | 'p95Ms'>;
}) {
  const time = (ms: number | null): string => (ms === null ? 'none' : durationText(ms));
  return (
    <>
      <td>
        {moneyText(costUsdPerVerdict)}
        {unpricedCalls > 0 && ' or more'}
      </td>
      <td>{countText(Math.round(tokensPerVerdict ?? 0))}</td>
      <td>{time(p50Ms)}</td>
      <td>{time(p95Ms)}</td>
    </>
  );
}

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
