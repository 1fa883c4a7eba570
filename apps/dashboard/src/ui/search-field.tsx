import { Search } from 'lucide-react';
import type { KeyboardEvent } from 'react';
import { useTyped } from './use-typed.js';
import './search-field.css';

interface SearchProps {
  label: string;
  value: string;
  change(value: string): void;
}

/** A search field that applies its value after the user stops typing. `/` focuses it. */
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

// Escape leaves the field and keeps the search. A browser would clear the field.
function leaveOnEscape(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key !== 'Escape') return;
  event.preventDefault();
  event.currentTarget.blur();
}
