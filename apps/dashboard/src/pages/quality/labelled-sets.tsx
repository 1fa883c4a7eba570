import type { ShownEvaluation } from '@casefile/contracts';
import { countText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { ScrollTable } from '../../ui/scroll-table.js';
import { PerVerdict, Share, shareText } from './quality-table.js';

/** Results of labelled sets, with the columns of the figures of verdicts. */
export function LabelledSets({ evaluations }: { evaluations: readonly ShownEvaluation[] }) {
  if (evaluations.length === 0) return null;
  return (
    <section className="panel quality-part labelled-sets" aria-labelledby="labelled-sets">
      <h2 id="labelled-sets">Labelled sets</h2>
      <p className="quiet">
        Results of <code>casefile eval</code>, of any time. No person was asked: the labels are part of the
        set. <a href="/docs/results">How to read them</a>
      </p>
      <ScrollTable label="Figures by labelled set">
        <thead>
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Labelled set</th>
            <th scope="col">Judged by</th>
            <th scope="col">Date</th>
            <th scope="col">Verdicts</th>
            <th scope="col">Labels</th>
            <th scope="col">Right</th>
            <th scope="col">Not answered</th>
            <th scope="col">Precision, recall</th>
            <th scope="col">Review</th>
            <th scope="col">Degraded</th>
            <th scope="col">Cost</th>
            <th scope="col">Tokens</th>
            <th scope="col">p50</th>
            <th scope="col">p95</th>
          </tr>
        </thead>
        <tbody>
          {evaluations.map((one) => (
            <SetRow key={one.file} one={one} />
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}

function SetRow({ one }: { one: ShownEvaluation }) {
  return (
    <tr>
      <th scope="row">{visible(one.playbook)}</th>
      <td>
        {visible(one.set)}
        {one.unseen && one.set !== 'unseen' && ' (unseen)'}
      </td>
      <td>{visible(one.by)}</td>
      <td>{one.date}</td>
      <td>{countText(one.verdicts)}</td>
      <td>{countText(one.labels)}</td>
      <td>
        <Share share={one.accuracy} />
      </td>
      <td>{shareText(one.leftOpen)}</td>
      <td>
        {one.classes.map(({ name, precision, recall }) => (
          <div key={name}>
            {visible(name)} {shareText(precision)}, {shareText(recall)}
          </div>
        ))}
      </td>
      <td>{shareText(one.reviewShare)}</td>
      <td>{shareText(one.degradedShare)}</td>
      <PerVerdict of={one} />
    </tr>
  );
}
