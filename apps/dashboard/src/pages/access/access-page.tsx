import { useEffect, useState } from 'react';
import { useKeys } from '../../api/keys.js';
import { visible } from '../../format/visible.js';
import { useMay } from '../../shell/use-may.js';
import { Answer } from '../../ui/answer.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { NeedsRole } from '../../ui/needs-role.js';
import { Empty } from '../../ui/states.js';
import { KeyTable } from './key-table.js';
import { NewKey } from './new-key.js';
import { Sessions } from './sessions.js';
import './access.css';

/** Page of the access keys of people and programs, and of the people who are signed in. */
export default function AccessPage() {
  useEffect(() => void (document.title = 'Access · Casefile'), []);
  const may = useMay();
  return (
    <>
      <div className="page-head">
        <h1>Access</h1>
      </div>
      {may('admin') ? <KeysAndSessions /> : <NeedsRole what="This page" role="admin" />}
    </>
  );
}

function KeysAndSessions() {
  const keys = useKeys();
  const [secret, setSecret] = useState<{ name: string; key: string } | null>(null);
  return (
    <>
      {secret !== null && (
        <section className="panel access-secret" aria-label="New key" role="status">
          <p>
            The key of {visible(secret.name)}. Store it now: it is not shown again.{' '}
            <Button small onClick={() => setSecret(null)}>
              Hide
            </Button>
          </p>
          <code>{secret.key}</code> <CopyButton text={secret.key} label="the key" />
        </section>
      )}
      <NewKey isFirst={keys.data?.keys.length === 0} created={setSecret} />
      <Answer of={keys} what="The keys">
        {(data) =>
          data.keys.length === 0 ? (
            <Empty title="No keys">
              Everyone who can reach this console can use it. As soon as there is one key, every request needs
              one.
            </Empty>
          ) : (
            <KeyTable keys={data.keys} created={setSecret} />
          )
        }
      </Answer>
      <Sessions />
    </>
  );
}
