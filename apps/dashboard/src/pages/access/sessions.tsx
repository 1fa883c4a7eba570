import type { ShownSession } from '@casefile/contracts';
import { useState } from 'react';
import { useRevokeSession, useSessions } from '../../api/sessions.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { useActor } from '../../shell/use-actor.js';
import { Answer } from '../../ui/answer.js';
import { Button } from '../../ui/button.js';
import { Confirm } from '../../ui/confirm.js';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';
import { Stamp } from '../../ui/stamp.js';
import { Empty, errorMessage } from '../../ui/states.js';

/** Section of the people who are signed in, with a button that ends a session. */
export function Sessions() {
  const sessions = useSessions();
  return (
    <section className="panel access-section" aria-labelledby="sessions">
      <h2 id="sessions">Sessions</h2>
      <Answer of={sessions} what="The sessions" lines={3}>
        {(data) =>
          data.sessions.length === 0 ? (
            <Empty title="No sessions">Nobody is signed in to the console.</Empty>
          ) : (
            <DataTable
              name="sessions"
              label="Table of sessions"
              look="figures"
              rows={data.sessions}
              columns={COLUMNS}
              rowKey={({ id }) => id}
            />
          )
        }
      </Answer>
    </section>
  );
}

const COLUMNS: readonly Column<ShownSession>[] = [
  { name: 'Person', cell: (session) => <Person session={session} />, value: ({ name }) => name },
  { name: 'Role at sign-in', cell: ({ role }) => role, value: ({ role }) => role },
  {
    name: 'Signed in',
    cell: ({ createdAt }) => <Stamp at={createdAt} />,
    value: ({ createdAt }) => createdAt,
  },
  {
    name: 'Last request',
    cell: ({ lastSeenAt }) => <Stamp at={lastSeenAt} />,
    value: ({ lastSeenAt }) => lastSeenAt,
  },
  { name: 'Ends', cell: ({ expiresAt }) => <Stamp at={expiresAt} />, value: ({ expiresAt }) => expiresAt },
  {
    name: 'Browser',
    cell: ({ userAgent }) => (userAgent === '' ? 'not stated' : visible(userAgent)),
    value: ({ userAgent }) => userAgent,
    className: 'access-browser',
  },
  { name: 'Acts', cell: (session) => <Revoke session={session} />, value: null },
];

function Person({ session: { id, name, source, subject, groups } }: { session: ShownSession }) {
  return (
    <span title={id}>
      {visible(name)}
      <small className="access-source">
        {source === 'key'
          ? `by the key ${subject}`
          : `by the provider, groups: ${groups.map(visible).join(', ')}`}
      </small>
    </span>
  );
}

function Revoke({ session: { id, name } }: { session: ShownSession }) {
  const toast = useToast();
  const { name: by } = useActor();
  const { mutateAsync, isPending } = useRevokeSession();
  const [asks, setAsks] = useState(false);
  const person = visible(name);
  // The list may be read again before the answer comes, without this session.
  const revoke = (): void =>
    void mutateAsync({ id, by })
      .then(
        () => toast({ title: `The session of ${person} has ended` }),
        (error: unknown) =>
          toast({ title: 'The session was not ended', text: errorMessage(error), isError: true }),
      )
      .finally(() => setAsks(false));
  return (
    <>
      <Button
        small
        kind="danger"
        aria-label={`Revoke the session of ${person}`}
        onClick={() => setAsks(true)}
      >
        Revoke
      </Button>
      <Confirm
        open={asks}
        title={`Revoke the session of ${person}?`}
        action="Revoke"
        danger
        busy={isPending}
        close={() => setAsks(false)}
        confirm={revoke}
      >
        The next request of this session is refused. The person can sign in again.
      </Confirm>
    </>
  );
}
