import { useEffect, useRef, useState } from 'react';
import type { Batch, BatchList } from '@casefile/contracts';
import { Link } from 'wouter';
import { useScrollToTarget } from '../../ui/anchored.js';
import { TrialList } from './trial-list.js';
import '../../ui/page-part.css';
import { useBatches } from '../../api/batches.js';
import { countOf } from '../../format/numbers.js';
import { Answer } from '../../ui/answer.js';
import { Button } from '../../ui/button.js';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';
import { Empty } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';
import { requestInWords, casesInWords, batchFacts, WORDS_OF_BATCHES } from '../batches/batch-words.js';
import { BatchFacts, BatchStateBadge } from '../batches/batch-acts.js';
import { JudgeAgain } from '../batches/batch-form.js';
import { trialOfBatch } from './trial.js';
import '../batches/batches.css';

/** Page of all trials, and of batches that change nothing, such as degraded cases judged again. */
export default function TrialsPage() {
  useEffect(() => void (document.title = 'Trials · Casefile'), []);
  const batches = useRef<HTMLElement>(null);
  useScrollToTarget('batches', batches);
  return (
    <>
      <div className="page-head">
        <h1>Trials</h1>
      </div>
      <section className="page-part" aria-label="Trials">
        <TrialList />
      </section>
      <section className="page-part" id="batches" ref={batches} aria-label="Judged again">
        <h2>Judged again without a change of one kind</h2>
        <Batches />
      </section>
    </>
  );
}

/** Batches that belong to no trial, and the offer to judge degraded cases again. */
function Batches() {
  const batches = useBatches();
  return (
    <>
      <Answer of={batches} what="The batches">
        {(data) => (
          <>
            <Offer degraded={data.degraded} />
            <List batches={data.batches.filter((batch) => trialOfBatch(batch) === null)} />
          </>
        )}
      </Answer>
    </>
  );
}

function List({ batches }: { batches: Batch[] }) {
  if (batches.length === 0)
    return (
      <Empty title="No batches">
        <code>casefile reprocess</code> judges cases again together, and shows what would change.
      </Empty>
    );
  return (
    <section className="panel batch-table" aria-label="All batches">
      <DataTable name="batches" label="Batches" rows={batches} columns={COLUMNS} rowKey={({ id }) => id} />
    </section>
  );
}

const COLUMNS: readonly Column<Batch>[] = [
  {
    name: 'Cases',
    cell: (batch) => (
      <>
        <Link href={`/batches/${batch.id}`}>{casesInWords(batch)}</Link>
        <span className="mono quiet">{batch.id.slice(-8)}</span>
      </>
    ),
    value: casesInWords,
  },
  {
    name: 'State',
    cell: ({ state }) => <BatchStateBadge state={state} />,
    value: ({ state }) => WORDS_OF_BATCHES[state],
  },
  {
    name: 'Result',
    cell: (batch) => <BatchFacts batch={batch} />,
    value: (batch) => batchFacts(batch).join(' · '),
  },
  { name: 'Judged', cell: requestInWords, value: requestInWords },
  {
    name: 'Created',
    cell: ({ createdAt }) => <Stamp at={createdAt} />,
    value: ({ createdAt }) => createdAt,
    className: 'quiet nowrap',
  },
];

/** Offers to judge degraded verdicts again, once all unavailable providers are back. */
function Offer({ degraded: { since, count, providersOut } }: Pick<BatchList, 'degraded'>) {
  // The time of the opening: the list is read again while the dialog is open.
  const [asked, setAsked] = useState<string | null>(null);
  if (count === 0) return null;
  const isOut = providersOut.length > 0;
  return (
    <section className="panel batch-offer" aria-label="Degraded verdicts">
      <p>
        {countOf(count, 'verdict')} of the last 24 hours {count === 1 ? 'was' : 'were'} degraded: something
        was missing, such as a model, a tool result or budget.
        {isOut && ` Not called now: ${providersOut.join(', ')}. Wait until it is available again.`}
      </p>
      <Button kind="primary" disabled={isOut} onClick={() => setAsked(since)}>
        Judge {count === 1 ? 'it' : `the ${count}`} again …
      </Button>
      <JudgeAgain
        title="Judge degraded verdicts again?"
        ask={{ degradedSince: asked ?? since }}
        open={asked !== null}
        close={() => setAsked(null)}
      />
    </section>
  );
}
