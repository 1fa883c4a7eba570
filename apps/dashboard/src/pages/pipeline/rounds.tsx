import type { PipelineView } from '@casefile/contracts';
import { countOf, percentText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { ScrollTable } from '../../ui/scroll-table.js';

const RULINGS = ['PASS', 'WARN', 'REJECT'];

/** How the rounds of kinds of case ended: a critic that lets everything pass, or nothing, is seen here. S5-60. */
export function Rounds({ rounds }: { rounds: NonNullable<PipelineView['rounds']> }) {
  return (
    <ScrollTable label="Rulings by kind">
      <thead>
        <tr>
          <th scope="col">Kind</th>
          <th scope="col">Verdicts</th>
          <th scope="col">Rounds, on average</th>
          <th scope="col">Not converged</th>
          <th scope="col">Rulings</th>
        </tr>
      </thead>
      <tbody>
        {rounds.map(({ playbook, verdicts, rounds: average, notConverged, rulings }) => (
          <tr key={playbook}>
            <th scope="row">{visible(playbook)}</th>
            <td className="num">{countOf(verdicts, 'verdict')}</td>
            <td className="num">{average.toFixed(1)}</td>
            <td className="num">{percentText(notConverged / verdicts)}</td>
            <td>{RULINGS.map((ruling) => `${ruling} ${rulings[ruling] ?? 0}`).join(' · ')}</td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}
