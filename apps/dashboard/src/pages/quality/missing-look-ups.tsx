import { reasonInWords } from '@casefile/contracts/reason-codes';
import type { Quality } from '@casefile/contracts';
import { Link } from 'wouter';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { ColumnHeads } from '../../ui/column-heads.js';
import { ScrollTable } from '../../ui/scroll-table.js';

/** Look-ups that gave no answer in the most cases. Each row opens its cases. */
export function MissingLookUps({ missing, from }: { missing: Quality['missing']; from: string }) {
  if (missing.length === 0) return null;
  return (
    <section className="panel quality-part missing" aria-labelledby="missing-look-ups">
      <h2 id="missing-look-ups">Look-ups without an answer</h2>
      <ScrollTable label="Tools without an answer">
        <ColumnHeads names={['Tool', 'Kind', 'Cases', 'Why']} />
        <tbody>
          {missing.map(({ playbook, tool, cases, reasons }) => (
            <tr key={`${playbook} ${tool}`}>
              <th scope="row" className="mono">
                {visible(tool)}
              </th>
              <td>{playbook}</td>
              <td>
                <Link href={`/cases?${new URLSearchParams({ playbook, missing: tool, from }).toString()}`}>
                  {countOf(cases, 'case')}
                </Link>
              </td>
              <td>
                {reasons
                  .map(({ reason, cases: of }) => `${visible(reasonInWords(reason))} (${of})`)
                  .join(', ')}
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}
