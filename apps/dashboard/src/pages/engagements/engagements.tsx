import { ROW } from '../../ui/walk-rows.js';
import type { EngagementDetails, EngagementList, EngagementSession } from '@casefile/contracts';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { getJson, postJson } from '../../api/request.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';
import { Empty, Failed, errorMessage, Skeleton } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';
import './engagements.css';

const KEY = 'engagements';

/** Engagement sessions, newest message first: state, messages, and a button to close a session. */
export function Engagements() {
  const [state, setState] = useState<'open' | 'closed' | ''>('open');
  const list = useInfiniteQuery({
    queryKey: [KEY, state],
    queryFn: ({ pageParam, signal }) => {
      const search = new URLSearchParams({ limit: '50' });
      if (state !== '') search.set('state', state);
      if (pageParam !== null) search.set('cursor', pageParam);
      return getJson<EngagementList>(`/engagements?${search.toString()}`, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
    staleTime: 0,
  });
  const sessions = list.data?.pages.flatMap(({ engagements }) => engagements) ?? [];
  return (
    <>
      <label className="engagement-state">
        State
        <select
          className="field"
          value={state}
          onChange={(event) => setState(event.target.value as typeof state)}
        >
          <option value="open">open</option>
          <option value="closed">closed</option>
          <option value="">all</option>
        </select>
      </label>
      {list.isPending ? (
        <div className="panel">
          <Skeleton lines={6} label="Engagements are loading" />
        </div>
      ) : list.isError && sessions.length === 0 ? (
        <Failed
          what="The engagements could not be read"
          error={list.error}
          retry={() => void list.refetch()}
        />
      ) : sessions.length === 0 ? (
        <Empty title={state === 'closed' ? 'No closed engagements' : 'No engagements'}>
          Verdicts of some kinds of case open an engagement.
        </Empty>
      ) : (
        <ul className="panel engagements">
          {sessions.map((session) => (
            <li key={session.id} {...ROW}>
              <Session session={session} />
            </li>
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <Button
          className="load-more"
          disabled={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          Load more
        </Button>
      )}
    </>
  );
}

function Session({ session }: { session: EngagementSession }) {
  const [open, setOpen] = useState(false);
  const { action, category, confidence, messages, conversation, stage, updatedAt } = session;
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="engagement-line">
          <Badge tone="amber">{visible(action)}</Badge>
          <Badge>{visible(stage)}</Badge>
          <span>{visible(category ?? 'no category')}</span>
          <span className="quiet">
            confidence {confidence.toFixed(2)} · {countOf(messages, 'message')}
            {conversation !== null && (
              <>
                {' '}
                · conversation <span className="mono">{visible(conversation)}</span>
              </>
            )}{' '}
            · <Stamp at={updatedAt} />
          </span>
        </span>
      </summary>
      {open && <EngagementDetail id={session.id} />}
    </details>
  );
}

/** The newest messages of a session, and the button that closes it. */
export function EngagementDetail({ id }: { id: string }) {
  const client = useQueryClient();
  const toast = useToast();
  const path = `/engagements/${encodeURIComponent(id)}`;
  const { data, error, refetch } = useQuery({
    queryKey: [KEY, 'session', id],
    queryFn: ({ signal }) => getJson<EngagementDetails>(path, signal),
    staleTime: 0,
  });
  const close = useMutation({
    mutationFn: () => postJson<EngagementDetails>(`${path}/close`, {}),
    onSuccess: () => toast({ title: 'The engagement is closed' }),
    onError: (failure) =>
      toast({ title: 'The engagement was not closed', text: errorMessage(failure), isError: true }),
    onSettled: () => {
      for (const key of [KEY, 'inbox']) void client.invalidateQueries({ queryKey: [key] });
    },
  });
  if (data === undefined) {
    if (error === null) return <Skeleton lines={3} label="The engagement is loading" />;
    return <Failed what="The engagement could not be read" error={error} retry={() => void refetch()} />;
  }
  return (
    <div className="engagement-details">
      <DataTable
        name="engagement"
        label="Messages of the engagement"
        rows={data.history}
        columns={MESSAGES}
        rowKey={({ runId }) => runId}
      />
      {data.messages > data.history.length && (
        <p className="quiet">
          The newest {data.history.length} of {countOf(data.messages, 'message')}.
        </p>
      )}
      {data.closedAt === null ? (
        <Button disabled={close.isPending} onClick={() => close.mutate()}>
          {close.isPending ? 'Closing …' : 'Close the engagement'}
        </Button>
      ) : (
        <p className="quiet">
          Closed <Stamp at={data.closedAt} />. A later message of its conversation opens it again.
        </p>
      )}
    </div>
  );
}

const MESSAGES: readonly Column<EngagementDetails['history'][number]>[] = [
  {
    name: 'Message',
    cell: ({ caseId, at }) => (
      <Link href={`/cases/${caseId}`}>
        <Stamp at={at} />
      </Link>
    ),
    value: ({ at }) => at,
  },
  { name: 'Action', cell: ({ action }) => visible(action), value: ({ action }) => action },
  { name: 'Category', cell: ({ category }) => visible(category ?? ''), value: ({ category }) => category },
  {
    name: 'Confidence',
    cell: ({ confidence }) => confidence.toFixed(2),
    value: ({ confidence }) => confidence,
  },
  {
    name: 'Red flags',
    cell: ({ redFlags }) => visible(redFlagsText(redFlags)),
    value: ({ redFlags }) => redFlagsText(redFlags),
  },
];

function redFlagsText(redFlags: unknown): string {
  return Array.isArray(redFlags) ? redFlags.filter((flag) => typeof flag === 'string').join(', ') : '';
}
