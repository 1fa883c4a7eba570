import { Search } from 'lucide-react';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import './search-field.css';

const TYPING_MS = 220;

interface SearchProps {
  label: string;
  value: string;
  change(value: string): void;
}

/** A search that waits until somebody has stopped typing. `/` goes to it. */
export function SearchField({ label, value, change }: SearchProps) {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  const latest = useRef(change);
  useEffect(() => void (latest.current = change));
  // The value changed by other means than typing here: the way back in the browser, or a cleared filter.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setTyped(value);
  }, [value]);
  useEffect(() => {
    if (typed === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = typed;
      latest.current(typed);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [typed]);
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
