import { useState } from 'react';
import { useLocation } from 'wouter';
import { PLACES } from '../places.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { ALL_KEYS } from './keys.js';
import { useKeys } from './use-keys.js';

/** The keys that work on every page, and the list of all keys. */
export function Shortcuts() {
  const [open, setOpen] = useState(false);
  const [, navigate] = useLocation();
  useKeys({
    '?': () => setOpen(true),
    '/': focusSearch,
    ...Object.fromEntries(PLACES.map(({ keys, href }) => [keys, () => navigate(href)])),
  });
  return (
    <Dialog open={open} title="Keyboard" close={() => setOpen(false)}>
      <dl className="keys">
        {ALL_KEYS.map(([keys, does]) => (
          <div key={keys} className="key-row">
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div className="dialog-actions">
        <Button onClick={() => setOpen(false)}>Close</Button>
      </div>
    </Dialog>
  );
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('[data-search]');
  field?.focus();
  field?.select();
}
