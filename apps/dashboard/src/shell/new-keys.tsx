import type { CreatedKey } from '@casefile/contracts';
import { Download } from 'lucide-react';
import { createContext, useCallback, useContext, useState, type ReactNode } from 'react';
import { useSignIn } from '../api/access.js';
import { visible } from '../format/visible.js';
import { Button } from '../ui/button.js';
import { CopyButton } from '../ui/copy-button.js';
import './new-keys.css';

/** A key that was just created, with its secret. */
export type NewKeySecret = Pick<CreatedKey, 'id' | 'name' | 'key'>;

const NewKeysContext = createContext<(secret: NewKeySecret) => void>(() => undefined);

/** Returns a function that shows a new key until its creator closes it. */
export function useShowKey(): (secret: NewKeySecret) => void {
  return useContext(NewKeysContext);
}

/**
 * Shows new keys on every page and on the sign-in. A key is shown once, so neither a change of the page nor the end
 * of a session may remove it.
 */
export function NewKeys({ children }: { children: ReactNode }) {
  const [secrets, setSecrets] = useState<readonly NewKeySecret[]>([]);
  const show = useCallback((secret: NewKeySecret) => setSecrets((before) => [...before, secret]), []);
  const close = (id: string): void => setSecrets((before) => before.filter((secret) => secret.id !== id));
  return (
    <NewKeysContext value={show}>
      {children}
      <div className="new-keys" role="status">
        {secrets.map((secret) => (
          <NewKeyCard key={secret.id} secret={secret} close={() => close(secret.id)} />
        ))}
      </div>
    </NewKeysContext>
  );
}

function NewKeyCard({ secret: { id, name, key }, close }: { secret: NewKeySecret; close(): void }) {
  const { data } = useSignIn();
  const isSignedIn = data?.person?.source === 'key' && data.person.name === name;
  return (
    <section className="new-key" aria-label="New key">
      <h2>The key of {visible(name)}</h2>
      <p>Store it now: it is not shown again.{isSignedIn && ' You are signed in with this key.'}</p>
      <code>{key}</code>
      <div className="new-key-acts">
        <CopyButton text={key} label="the key" />
        <Button kind="bare" small aria-label="Download the key" onClick={() => download(id, key)}>
          <Download aria-hidden="true" size={13} /> Download
        </Button>
        <Button small onClick={close}>
          Close
        </Button>
      </div>
    </section>
  );
}

function download(id: string, key: string): void {
  const url = URL.createObjectURL(new Blob([`${key}\n`], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `casefile-key-${id}.txt`;
  link.click();
  URL.revokeObjectURL(url);
}
