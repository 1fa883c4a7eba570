import type { Comparison, ShownAgreement } from '@casefile/contracts';
import { Link } from 'wouter';
import { countOf, countText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';
import { ScrollTable } from '../../ui/scroll-table.js';
import { ChangedVerdict } from '../trials/changed-verdict.js';
import { ARM_LINES, rateInWords, valueLines } from './experiment-words.js';
import '../../ui/table.css';
import '../trials/trials.css';

/** Both arms side by side, with counts and 95 % intervals. */
export function ArmTable({ comparison: { arms } }: { comparison: Comparison }) {
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
export function Confusion({
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
export function Differing({ comparison: { differing, differingTotal } }: { comparison: Comparison }) {
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
