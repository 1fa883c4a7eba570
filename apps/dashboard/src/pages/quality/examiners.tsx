import type { Quality } from '@casefile/contracts';
import { countText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { ColumnHeads } from '../../ui/column-heads.js';
import { ScrollTable } from '../../ui/scroll-table.js';
import { Share } from './quality-table.js';

const COLUMNS = ['Model', 'Provider', 'Examinations', 'Planted claims supported', 'Agrees with people'];

/** Models that answered cross-examinations, with the share of false claims that each called supported. */
export function Examiners({ examiners }: { examiners: Quality['examiners'] }) {
  if (examiners.length === 0) return null;
  const doubtful = examiners.filter(({ isDoubtful }) => isDoubtful);
  return (
    <section className="panel quality-part examiners" aria-labelledby="examiners">
      <h2 id="examiners">Examiners</h2>
      {doubtful.length > 0 && (
        <p role="note">
          {doubtful.map(({ model }) => visible(model)).join(', ')} supported more than 10 % of the planted
          claims, which are false. <a href="/docs/use/quality#examiners">What to do</a>
        </p>
      )}
      <ScrollTable label="Models that examine claims">
        <ColumnHeads names={COLUMNS} />
        <tbody>
          {examiners.map(({ provider, model, examinations, plantedSupported, agreement }) => (
            <tr key={`${provider} ${model}`}>
              <th scope="row" className="mono">
                {visible(model)}
              </th>
              <td>{visible(provider)}</td>
              <td>{countText(examinations)}</td>
              <td>
                <Share share={plantedSupported} />
              </td>
              <td>
                <Share share={agreement} />
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}
