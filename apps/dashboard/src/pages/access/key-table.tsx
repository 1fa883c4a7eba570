import type { AccessKey } from '@casefile/contracts';
import { useState } from 'react';
import { useKeyAct } from '../../api/keys.js';
import { visible } from '../../format/visible.js';
import { useShowKey } from './new-key-card.js';
import { useActor } from '../../shell/use-actor.js';
import { useToast } from '../../shell/toasts.js';
import { Button } from '../../ui/button.js';
import { Confirm } from '../../ui/confirm.js';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';
import { Stamp } from '../../ui/stamp.js';
import { errorMessage } from '../../ui/states.js';

/** Section of the keys of people and programs, with buttons that rotate and revoke each. */
export function KeyTable({ keys }: { keys: AccessKey[] }) {
  return (
    <section className="panel access-section" aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      <DataTable
        name="keys"
        label="Table of keys"
        look="figures"
        rows={keys}
        columns={COLUMNS}
        rowKey={({ id }) => id}
      />
    </section>
  );
}

const COLUMNS: readonly Column<AccessKey>[] = [
  {
    name: 'Name',
    cell: ({ id, name }) => <span title={id}>{visible(name)}</span>,
    value: ({ name }) => name,
  },
  { name: 'Rights', cell: rightsText, value: rightsText, className: 'access-rights' },
  {
    name: 'Created',
    cell: ({ createdAt }) => <Stamp at={createdAt} />,
    value: ({ createdAt }) => createdAt,
  },
  {
    name: 'Last use',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Stamp at={lastUsedAt} />),
    value: ({ lastUsedAt }) => lastUsedAt,
  },
  {
    name: 'Expires',
    cell: (key) => <End of={key} />,
    value: ({ revokedAt, overlapUntil, expiresAt }) => revokedAt ?? overlapUntil ?? expiresAt,
  },
  { name: 'Acts', cell: (key) => key.revokedAt === null && <KeyActs of={key} />, value: null },
];

function End({ of: { revokedAt, overlapUntil, expiresAt } }: { of: AccessKey }) {
  if (revokedAt !== null) return <>revoked</>;
  const at = overlapUntil ?? expiresAt;
  return at === null ? <>never</> : <Stamp at={at} />;
}

function rightsText({ role, scopes, limits }: AccessKey): string {
  if (role !== null) return role;
  const { dailyUsd, ...lists } = limits ?? {};
  const limited = Object.entries(lists).map(([what, some]) => `${what} ${some.join(', ')}`);
  const budget = dailyUsd === undefined ? [] : [`at most $${dailyUsd} per day`];
  return [`scopes ${scopes.join(', ')}`, ...limited, ...budget].join('; ');
}

function KeyActs({ of: key }: { of: AccessKey }) {
  const toast = useToast();
  const { name: by } = useActor();
  const { mutateAsync, isPending } = useKeyAct(useShowKey());
  const [asks, setAsks] = useState<'rotate' | 'revoke' | null>(null);
  // The list may be read again before the answer comes, without this key.
  const run = (act: 'rotate' | 'revoke'): void =>
    void mutateAsync({ id: key.id, act, by })
      .then(
        ({ name, key: secret }) => {
          if (secret === undefined) toast({ title: `The key of ${name} is revoked` });
        },
        (error: unknown) => toast({ title: 'That did not work', text: errorMessage(error), isError: true }),
      )
      .finally(() => setAsks(null));
  return (
    <div className="access-acts">
      {key.replacedBy === null && (
        <Button small onClick={() => setAsks('rotate')}>
          Rotate
        </Button>
      )}
      <Button small kind="danger" onClick={() => setAsks('revoke')}>
        Revoke
      </Button>
      <Confirm
        open={asks !== null}
        title={
          asks === 'rotate'
            ? `Rotate the key of ${visible(key.name)}?`
            : `Revoke the key of ${visible(key.name)}?`
        }
        action={asks === 'rotate' ? 'Rotate' : 'Revoke'}
        danger={asks === 'revoke'}
        busy={isPending}
        close={() => setAsks(null)}
        confirm={() => asks !== null && run(asks)}
      >
        {asks === 'rotate'
          ? 'A new key with the same rights is created. This one stays valid for one day.'
          : 'Requests with this key are refused within a few seconds. This cannot be undone.'}
      </Confirm>
    </div>
  );
}
