import { useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { useKeys } from './use-keys.js';

const ON_A_PAGE: readonly [keys: string, does: string][] = [
  ['j', 'next row'],
  ['k', 'row before'],
  ['enter', 'open the row'],
  ['/', 'search'],
  ['?', 'this list'],
];

/** The keys that work everywhere, and the list of all. */
export function Shortcuts({ places }: { places: readonly { href: string; name: string; keys: string }[] }) {
  const [open, setOpen] = useState(false);
  const [, navigate] = useLocation();
  useKeys({
    '?': () => setOpen(true),
    '/': focusSearch,
    ...Object.fromEntries(places.map(({ keys, href }) => [keys, () => navigate(href)])),
  });
  return (
    <Dialog open={open} title="Keyboard" close={() => setOpen(false)}>
      <dl className="keys">
        {[...places.map(({ keys, name }) => [keys, name] as const), ...ON_A_PAGE].map(([keys, does]) => (
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
