import { useEffect, useState } from 'react';
import type { Batch, BatchMember } from '@casefile/contracts';
import { Link } from 'wouter';
import { useBatch, useBatchMembers } from '../../api/batches.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { requestInWords, casesInWords, comparedIn } from './batch-words.js';
import { BatchActs, BatchFacts, BatchStateBadge } from './batch-acts.js';
import { TrialPath } from '../trials/trial-path.js';
import { trialOfBatch } from '../trials/trial.js';
import './batches.css';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';
import { ChangedVerdict } from '../trials/changed-verdict.js';
import '../trials/trials.css';

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

const PAGE = 100;

interface BatchMembersProps {
  batch: Batch;
  /** Cases whose new verdict is not applied. */
  leftOut: ReadonlySet<string>;
  leaveOut(cases: ReadonlySet<string>): void;
}

/** Table of the cases of a batch. When the batch is done, each new verdict can be left out. */
function BatchMembers({ batch, leftOut, leaveOut }: BatchMembersProps) {
  const [limit, setLimit] = useState(PAGE);
  // The members are read again when one of these changes.
  const { state, done, applied, decidedByPerson, unchanged, overtaken, leftOut: kept } = batch;
  const version = [state, done, applied, decidedByPerson, unchanged, overtaken, kept].join(' ');
  const isChosen = state === 'done';
  const choose = (caseId: string, chosen: boolean) => {
    const others = [...leftOut].filter((id) => id !== caseId);
    leaveOut(new Set(chosen ? others : [...others, caseId]));
  };
  const { data } = useBatchMembers(batch.id, limit, version);
  if (data === undefined) return <Skeleton lines={4} label="The cases are loading" />;
  return (
    <section className="panel batch-table" aria-label="Cases of the batch">
      <DataTable
        name="batch-cases"
        label="Table of cases"
        rows={data.members}
        columns={isChosen ? [...COLUMNS, applyColumn(leftOut, choose)] : COLUMNS}
        rowKey={({ caseId }) => caseId}
      />
      {data.total > limit && (
        <Button onClick={() => setLimit(Math.min(1_000, limit + PAGE))}>Show more</Button>
      )}
    </section>
  );
}

function isMade({ state }: BatchMember): boolean {
  return state !== 'waiting' && state !== 'opened';
}

function applyColumn(
  leftOut: ReadonlySet<string>,
  choose: (caseId: string, chosen: boolean) => void,
): Column<BatchMember> {
  return {
    name: 'Apply',
    cell: ({ caseId, text, state, change, decidedByPerson }) => {
      const isOffered = state === 'decided' && change !== 'none' && !decidedByPerson;
      return (
        <input
          type="checkbox"
          aria-label={`Apply the verdict of ${visible(text) || caseId.slice(-8)}`}
          checked={isOffered && !leftOut.has(caseId)}
          disabled={!isOffered}
          onChange={(event) => choose(caseId, event.target.checked)}
        />
      );
    },
    value: null,
  };
}

const COLUMNS: readonly Column<BatchMember>[] = [
  {
    name: 'Case',
    cell: ({ caseId, text, playbook }) => (
      <>
        <Link href={`/cases/${caseId}`} dir="auto" className="batch-case">
          {visible(text) || caseId.slice(-8)}
        </Link>
        <span className="quiet">{playbook}</span>
      </>
    ),
    value: ({ text, caseId }) => text || caseId,
  },
  {
    name: 'Before',
    cell: ({ was, now, rightBefore }) => (
      <>
        <ChangedVerdict of={was} other={now} /> <RightBadge right={rightBefore} />
      </>
    ),
    value: ({ was }) => was?.action ?? was?.disposition ?? null,
    className: 'nowrap',
  },
  {
    name: 'Now',
    cell: (member) => <Now member={member} />,
    value: ({ now, state }) => now?.action ?? now?.disposition ?? state,
  },
  {
    name: 'Requests',
    cell: (member) => isMade(member) && sameRequestsText(member.sameRequests, member.answersAsked),
    value: (member) => (isMade(member) ? sameRequestsText(member.sameRequests, member.answersAsked) : null),
    className: 'quiet nowrap',
  },
  {
    name: 'Compare',
    cell: (member) =>
      isMade(member) && (
        <Link href={`/cases/${member.caseId}?run=${member.baseRunId}&with=${member.runId}`}>
          side by side
        </Link>
      ),
    value: null,
    className: 'nowrap',
  },
];

function RightBadge({ right }: { right: boolean | null }) {
  return right === null ? null : <Badge tone={right ? 'green' : 'red'}>{right ? 'right' : 'wrong'}</Badge>;
}

function Now({ member }: { member: BatchMember }) {
  const { state, message, was, now, flipped, change, unsteady, rightNow, decidedByPerson } = member;
  return (
    <span className="batch-now">
      {state === 'failed' ? (
        <span>no verdict: {visible(message ?? '')}</span>
      ) : (
        <span className="nowrap">{isMade(member) ? <ChangedVerdict of={now} other={was} /> : state}</span>
      )}
      {flipped === true && <Badge tone="amber">flipped</Badge>}
      {unsteady === true && <Badge tone="amber">differs when run twice</Badge>}
      <RightBadge right={rightNow} />
      {decidedByPerson && <Badge tone="violet">decided by a person</Badge>}
      {(state === 'unchanged' || (state === 'decided' && change === 'none')) && <Badge>unchanged</Badge>}
      {state === 'left_out' && <Badge>not chosen</Badge>}
      {state === 'overtaken' && <Badge>newer verdict</Badge>}
    </span>
  );
}

function sameRequestsText(same: boolean | null, modelCalls: number | null): string {
  if (same === null) return '';
  const answers = modelCalls === 0 ? 'no model asked' : `${countOf(modelCalls ?? 0, 'model call')}`;
  return `${same ? 'the same' : 'not the same'}, ${answers}`;
}
