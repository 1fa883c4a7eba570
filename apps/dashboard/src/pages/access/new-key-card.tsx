import type { CreatedKey } from '@casefile/contracts';
import { Download } from 'lucide-react';
import { useSignIn } from '../../api/access.js';
import { visible } from '../../format/visible.js';
import { Button } from '../../ui/button.js';
import { CopyButton } from '../../ui/copy-button.js';
import { useKeepCard } from '../../shell/new-keys.js';
import './new-key-card.css';

/** A key that was just created, with its secret. */
export type NewKeySecret = Pick<CreatedKey, 'id' | 'name' | 'key'>;

/** Returns a function that shows a new key until its creator closes it. */
export function useShowKey(): (secret: NewKeySecret) => void {
  const keep = useKeepCard();
  return (secret) => keep({ id: secret.id, card: (close) => <NewKeyCard secret={secret} close={close} /> });
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
