import { t } from '../strings/text.js';
import { Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { ENTRIES } from '../places.js';
import { Dialog } from '../ui/dialog.js';
import { keysOf } from './keys.js';
import { useKeys } from './use-keys.js';

const Palette = lazy(() => import('./palette.js'));

/** Button of the search, the keys that work on every page, and the list of keys. */
export function Shortcuts() {
  const [open, setOpen] = useState<'keys' | 'search' | null>(null);
  const [location, navigate] = useLocation();
  const close = (): void => setOpen(null);
  useKeys({
    '?': () => setOpen('keys'),
    '/': focusSearch,
    ...Object.fromEntries(ENTRIES.map(({ keys, href }) => [keys, () => navigate(href)])),
  });
  // Also while the user types in a field.
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      if (document.querySelector('dialog[open]') !== null) return;
      event.preventDefault();
      setOpen('search');
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  return (
    <>
      <button
        type="button"
        className="button button-bare icon-button"
        aria-label={t('shell.search')}
        title={t('shell.searchCtrlK')}
        onClick={() => setOpen('search')}
      >
        <Search aria-hidden="true" size={16} />
      </button>
      <Dialog open={open === 'keys'} title={t('shell.keysOfThisPage')} close={close}>
        {keysOf(location).map(({ name, keys }) => (
          <section key={name} aria-label={name}>
            <h3 className="keys-head">{name}</h3>
            <KeyRows rows={keys} />
          </section>
        ))}
      </Dialog>
      <Dialog open={open === 'search'} title={t('shell.search')} className="dialog-palette" close={close}>
        <Suspense fallback={<p className="quiet">{t('shell.loading')}</p>}>
          <Palette close={close} />
        </Suspense>
      </Dialog>
    </>
  );
}

function KeyRows({ rows }: { rows: readonly (readonly [keys: string, does: string])[] }) {
  return (
    <dl className="keys">
      {rows.map(([keys, does]) => (
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
  );
}

function focusSearch(): void {
  const field = document.querySelector<HTMLInputElement>('[data-search]');
  field?.focus();
  field?.select();
}
