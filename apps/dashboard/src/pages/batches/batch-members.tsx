import type { Batch, BatchMember } from '@casefile/contracts';
import { useState } from 'react';
import { Link } from 'wouter';
import { useBatchMembers } from '../../api/batches.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Skeleton } from '../../ui/states.js';
import { ChangedVerdict } from '../trials/changed-verdict.js';
import '../../ui/table.css';
import '../trials/trials.css';
import './batches.css';

const PAGE = 100;

interface BatchMembersProps {
  batch: Batch;
  /** Cases whose new verdict is not applied. */
  leftOut: ReadonlySet<string>;
  leaveOut(cases: ReadonlySet<string>): void;
}

/** Table of the cases of a batch. When the batch is done, each new verdict can be left out. */
export function BatchMembers({ batch, leftOut, leaveOut }: BatchMembersProps) {
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
      <table className="table table-words table-stacked">
        <thead>
          <tr>
            {isChosen && <th scope="col">Apply</th>}
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
            <Member
              key={member.caseId}
              member={member}
              choice={isChosen ? { chosen: !leftOut.has(member.caseId), choose } : null}
            />
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
    change,
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
  choice,
}: {
  member: BatchMember;
  /** null: nothing can be chosen. */
  choice: { chosen: boolean; choose(caseId: string, chosen: boolean): void } | null;
}) {
  const isMade = state !== 'waiting' && state !== 'opened';
  const isOffered = state === 'decided' && change !== 'none' && !decidedByPerson;
  return (
    <tr>
      {choice !== null && (
        <td data-label="Apply">
          <input
            type="checkbox"
            aria-label={`Apply the verdict of ${visible(text) || caseId.slice(-8)}`}
            checked={isOffered && choice.chosen}
            disabled={!isOffered}
            onChange={(event) => choice.choose(caseId, event.target.checked)}
          />
        </td>
      )}
      <th scope="row">
        <Link href={`/cases/${caseId}`} dir="auto" className="batch-case">
          {visible(text) || caseId.slice(-8)}
        </Link>
        <span className="quiet">{playbook}</span>
      </th>
      <td data-label="Before" className="nowrap">
        <span>
          <ChangedVerdict of={was} other={now} />{' '}
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
            <span className="nowrap">{isMade ? <ChangedVerdict of={now} other={was} /> : state}</span>
          )}
          {flipped === true && <Badge tone="amber">flipped</Badge>}
          {unsteady === true && <Badge tone="amber">differs when run twice</Badge>}
          {rightNow !== null && (
            <Badge tone={rightNow ? 'green' : 'red'}>{rightNow ? 'right' : 'wrong'}</Badge>
          )}
          {decidedByPerson && <Badge tone="violet">decided by a person</Badge>}
          {(state === 'unchanged' || (state === 'decided' && change === 'none')) && <Badge>unchanged</Badge>}
          {state === 'left_out' && <Badge>not chosen</Badge>}
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
