import { Dialog } from '@base-ui/react/dialog';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { useKeys } from './use-keys.js';
import './menu.css';

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
    <Dialog.Root open={open} onOpenChange={setOpen}>
      <Dialog.Portal>
        <Dialog.Backdrop className="backdrop" />
        <Dialog.Popup className="dialog">
          <Dialog.Title className="dialog-title">Keyboard</Dialog.Title>
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
            <Dialog.Close className="button">Close</Dialog.Close>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('[data-search]');
  field?.focus();
  field?.select();
}
