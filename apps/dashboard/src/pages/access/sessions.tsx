import type { ShownSession } from '@casefile/contracts';
import { useState } from 'react';
import { useRevokeSession, useSessions } from '../../api/sessions.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { useActor } from '../../shell/use-actor.js';
import { Answer } from '../../ui/answer.js';
import { Button } from '../../ui/button.js';
import { ColumnHeads } from '../../ui/column-heads.js';
import { Confirm } from '../../ui/confirm.js';
import { ScrollTable } from '../../ui/scroll-table.js';
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
            <ScrollTable label="Table of sessions">
              <ColumnHeads
                names={['Person', 'Role at sign-in', 'Signed in', 'Last request', 'Ends', 'Browser', 'Acts']}
              />
              <tbody>
                {data.sessions.map((session) => (
                  <SessionRow key={session.id} session={session} />
                ))}
              </tbody>
            </ScrollTable>
          )
        }
      </Answer>
    </section>
  );
}

function SessionRow({ session }: { session: ShownSession }) {
  const { id, name, source, subject, role, groups, createdAt, lastSeenAt, expiresAt, userAgent } = session;
  return (
    <tr>
      <td title={id}>
        {visible(name)}
        <small className="access-source">
          {source === 'key'
            ? `by the key ${subject}`
            : `by the provider, groups: ${groups.map(visible).join(', ')}`}
        </small>
      </td>
      <td>{role}</td>
      <td>
        <Stamp at={createdAt} />
      </td>
      <td>
        <Stamp at={lastSeenAt} />
      </td>
      <td>
        <Stamp at={expiresAt} />
      </td>
      <td className="access-browser">{userAgent === '' ? 'not stated' : visible(userAgent)}</td>
      <td>
        <Revoke session={session} />
      </td>
    </tr>
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
