import type { Batch, BatchAct, BatchMember } from '@casefile/contracts';
import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import { useActOnBatch, useBatch, useBatchMembers } from '../../api/batches.js';
import { countOf, countText, percentText } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Confirm } from '../../ui/confirm.js';
import { Failed, errorMessage, Skeleton } from '../../ui/states.js';
import { requestInWords, casesInWords } from './asked-in-words.js';
import { BatchFacts, BatchStateBadge, comparedIn } from './batch-facts.js';
import '../../ui/table.css';
import './batches.css';

const PAGE = 100;

/** Page of one batch, kept up to date: progress, cases with the flipped ones first, and available actions. */
export default function BatchPage({ batchId }: { batchId: string }) {
  useEffect(() => void (document.title = 'Batch · Casefile'), []);
  const { data, error, refetch } = useBatch(batchId);
  if (data === undefined) {
    if (error !== null)
      return <Failed page what="The batch could not be read" error={error} retry={() => void refetch()} />;
    return (
      <div className="panel">
        <Skeleton lines={6} label="The batch is loading" />
      </div>
    );
  }
  return (
    <>
      <div className="page-head">
        <h1>
          Batch <span className="mono">{batchId.slice(-8)}</span> <BatchStateBadge state={data.state} />
        </h1>
        <Acts batch={data} />
      </div>
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
      <Members batch={data} />
    </>
  );
}

/** Available actions for each state of a batch. */
const ACTS: Partial<Record<Batch['state'], BatchAct[]>> = {
  running: ['pause'],
  paused: ['resume', 'discard'],
  done: ['apply', 'discard'],
};
const NAMES: Record<BatchAct, string> = {
  pause: 'Pause',
  resume: 'Resume',
  apply: 'Apply',
  discard: 'Discard',
};

function Acts({ batch }: { batch: Batch }) {
  const act = useActOnBatch(batch.id);
  const toast = useToast();
  const [pendingAct, setPendingAct] = useState<BatchAct | null>(null);
  const go = (what: BatchAct) =>
    act.mutate(what, {
      onError: (failure) =>
        toast({ title: 'The batch was not changed', text: errorMessage(failure), isError: true }),
      onSettled: () => setPendingAct(null),
    });
  return (
    <div className="batch-acts">
      {(ACTS[batch.state] ?? []).map((what) => (
        <Button
          key={what}
          kind={what === 'apply' ? 'primary' : 'plain'}
          disabled={act.isPending}
          onClick={() => (what === 'pause' || what === 'resume' ? go(what) : setPendingAct(what))}
        >
          {NAMES[what]}
        </Button>
      ))}
      <Confirm
        open={pendingAct !== null}
        title={pendingAct === 'apply' ? 'Apply these verdicts?' : 'Discard these verdicts?'}
        action={NAMES[pendingAct ?? 'discard']}
        danger={pendingAct === 'discard'}
        busy={act.isPending}
        close={() => setPendingAct(null)}
        confirm={() => pendingAct !== null && go(pendingAct)}
      >
        {pendingAct === 'apply'
          ? applyInWords(batch)
          : 'The cases keep their current verdicts. The runs stay on the record.'}
      </Confirm>
    </div>
  );
}

/** Describes the effect of applying a batch. */
function applyInWords({ done, failed, flipped, decidedByPerson }: Batch): string {
  const kept =
    decidedByPerson === 0
      ? ''
      : ` ${countOf(decidedByPerson, 'case')} decided by a person ${decidedByPerson === 1 ? 'keeps its answer' : 'keep their answers'}.`;
  return `Of ${countOf(done - failed, 'new verdict')}, ${countText(flipped)} flipped.${kept} Only verdicts that changed for receivers are sent, each with the run that it replaces.`;
}

function Members({ batch }: { batch: Batch }) {
  const [limit, setLimit] = useState(PAGE);
  // The members are read again when one of these changes.
  const { state, done, applied, decidedByPerson, unchanged, overtaken } = batch;
  const version = [state, done, applied, decidedByPerson, unchanged, overtaken].join(' ');
  const { data } = useBatchMembers(batch.id, limit, version);
  if (data === undefined) return <Skeleton lines={4} label="The cases are loading" />;
  return (
    <section className="panel batch-table" aria-label="Cases of the batch">
      <table className="table table-words table-stacked">
        <thead>
          <tr>
            <th scope="col">Case</th>
            <th scope="col">Before</th>
            <th scope="col">Now</th>
            <th scope="col">Requests</th>
            <th scope="col">
              <span className="visually-hidden">Compare</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.members.map((member) => (
            <Member key={member.caseId} member={member} />
          ))}
        </tbody>
      </table>
      {data.total > limit && (
        <Button onClick={() => setLimit(Math.min(1_000, limit + PAGE))}>Show more</Button>
      )}
    </section>
  );
}

function Member({
  member: {
    caseId,
    baseRunId,
    runId,
    flipped,
    unsteady,
    sameRequests,
    answersAsked,
    rightBefore,
    rightNow,
    state,
    decidedByPerson,
    message,
    playbook,
    text,
    was,
    now,
  },
}: {
  member: BatchMember;
}) {
  const isMade = state !== 'waiting' && state !== 'opened';
  return (
    <tr>
      <th scope="row">
        <Link href={`/cases/${caseId}`} dir="auto" className="batch-case">
          {visible(text) || caseId.slice(-8)}
        </Link>
        <span className="quiet">{playbook}</span>
      </th>
      <td data-label="Before" className="nowrap">
        <span>
          {verdictText(was)}{' '}
          {rightBefore !== null && (
            <Badge tone={rightBefore ? 'green' : 'red'}>{rightBefore ? 'right' : 'wrong'}</Badge>
          )}
        </span>
      </td>
      <td data-label="Now">
        <span className="batch-now">
          {state === 'failed' ? (
            <span>no verdict: {visible(message ?? '')}</span>
          ) : (
            <span className="nowrap">{isMade ? verdictText(now) : state}</span>
          )}
          {flipped === true && <Badge tone="amber">flipped</Badge>}
          {unsteady === true && <Badge tone="amber">differs when run twice</Badge>}
          {rightNow !== null && (
            <Badge tone={rightNow ? 'green' : 'red'}>{rightNow ? 'right' : 'wrong'}</Badge>
          )}
          {decidedByPerson && <Badge tone="violet">decided by a person</Badge>}
          {state === 'unchanged' && <Badge>unchanged</Badge>}
          {state === 'overtaken' && <Badge>newer verdict</Badge>}
        </span>
      </td>
      <td data-label="Requests" className="quiet nowrap">
        {isMade && sameRequestsText(sameRequests, answersAsked)}
      </td>
      <td className="nowrap">
        {isMade && <Link href={`/cases/${caseId}?run=${baseRunId}&with=${runId}`}>side by side</Link>}
      </td>
    </tr>
  );
}

function sameRequestsText(same: boolean | null, modelCalls: number | null): string {
  if (same === null) return '';
  const answers = modelCalls === 0 ? 'no model asked' : `${countOf(modelCalls ?? 0, 'model call')}`;
  return `${same ? 'the same' : 'not the same'}, ${answers}`;
}

function verdictText({ disposition, action, confidence }: BatchMember['was']): string {
  if (disposition === null) return 'none';
  const parts = [disposition, action].filter((part) => part !== null).map(visible);
  return `${parts.join(' ')}${confidence === null ? '' : ` ${percentText(confidence)}`}`;
}
