import { useEffect, useState } from 'react';
import { useBatch } from '../../api/batches.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { requestInWords, casesInWords } from './asked-in-words.js';
import { BatchActs } from './batch-acts.js';
import { BatchFacts, BatchStateBadge } from './batch-facts.js';
import { comparedIn } from './batch-words.js';
import { TrialPath } from '../trials/trial-path.js';
import { trialOfBatch } from '../trials/trial.js';
import { BatchMembers } from './batch-members.js';
import './batches.css';

/** Page of one batch, kept up to date: progress, cases with the flipped ones first, and available actions. */
export default function BatchPage({ batchId }: { batchId: string }) {
  useEffect(() => void (document.title = 'Batch · Casefile'), []);
  const { data, error, refetch } = useBatch(batchId);
  const [leftOut, setLeftOut] = useState<ReadonlySet<string>>(new Set());
  if (data === undefined) {
    if (error !== null)
      return <Failed page what="The batch could not be read" error={error} retry={() => void refetch()} />;
    return (
      <div className="panel">
        <Skeleton lines={6} label="The batch is loading" />
      </div>
    );
  }
  const trial = trialOfBatch(data);
  return (
    <>
      <div className="page-head">
        <h1>
          Batch <span className="mono">{batchId.slice(-8)}</span> <BatchStateBadge state={data.state} />
        </h1>
        <BatchActs batch={data} leftOut={leftOut} />
      </div>
      {trial !== null && <TrialPath trial={trial} current="past" />}
      <section className="panel batch-progress" aria-label="Progress">
        <progress max={data.total} value={data.done} aria-label="Cases that have ended" />
        <p>
          <BatchFacts batch={data} />
        </p>
        {comparedIn(data).map((line) => (
          <p key={line}>{line}.</p>
        ))}
        {data.state === 'paused' && data.ask.budgetUsd !== undefined && (
          <p>
            To raise its budget: <code>casefile batches resume {data.id} --budget 5</code>
          </p>
        )}
        <p className="quiet">
          Of {casesInWords(data)}: {requestInWords(data)}.
        </p>
      </section>
      <BatchMembers batch={data} leftOut={leftOut} leaveOut={setLeftOut} />
    </>
  );
}
