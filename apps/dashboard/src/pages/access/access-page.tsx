import { useEffect } from 'react';
import { useKeys } from '../../api/keys.js';
import { useMay } from '../../shell/use-may.js';
import { Answer } from '../../ui/answer.js';
import { NeedsRole } from '../../ui/needs-role.js';
import { Empty } from '../../ui/states.js';
import { KeyTable } from './key-table.js';
import { NewKey } from './new-key.js';
import { Sessions } from './sessions.js';
import './access.css';

/** Page of the access keys of people and programs, and of the people who are signed in. */
export default function AccessPage() {
  useEffect(() => void (document.title = 'People and keys · Casefile'), []);
  const may = useMay();
  return (
    <>
      <div className="page-head">
        <h1>People and keys</h1>
      </div>
      {may('admin') ? <KeysAndSessions /> : <NeedsRole what="This page" role="admin" />}
    </>
  );
}

function KeysAndSessions() {
  const keys = useKeys();
  return (
    <>
      {/* Which rights it offers depends on whether there is a key. */}
      {keys.data !== undefined && <NewKey isFirst={keys.data.keys.length === 0} />}
      <Answer of={keys} what="The keys">
        {(data) =>
          data.keys.length === 0 ? (
            <Empty title="No keys">
              Everyone who can reach this console can use it. As soon as there is one key, every request needs
              one. The first key is of an administrator. It signs you in.
            </Empty>
          ) : (
            <KeyTable keys={data.keys} />
          )
        }
      </Answer>
      <Sessions />
    </>
  );
}
