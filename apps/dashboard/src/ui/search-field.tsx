import { Search } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useTyped } from './use-typed.js';
import './search-field.css';

interface SearchProps {
  label: string;
  value: string;
  change(value: string): void;
}

/** A search that waits until somebody has stopped typing. `/` goes to it. */
export function SearchField({ label, value, change }: SearchProps) {
  const [typed, setTyped] = useTyped(value, change);
  return (
    <label className="search">
      <Search aria-hidden="true" size={14} />
      <span className="visually-hidden">{label}</span>
      <input
        data-search
        className="field"
        type="search"
        placeholder={label}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={leaveOnEscape}
      />
      <kbd aria-hidden="true">/</kbd>
    </label>
  );
}

// Out of the field, with what was searched for still searched for: a browser would clear it.
function leaveOnEscape(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Escape') return;
  event.preventDefault();
  event.currentTarget.blur();
}
