import { useEffect, useRef } from 'react';
import { KeySequence } from './key-sequence.js';

/** Calls what is bound to a key (`j`) or to two in a row (`g c`), unless somebody is typing or a dialog is open. */
export function useKeys(bindings: Record<string, (event: KeyboardEvent) => void>): void {
  const latest = useRef(bindings);
  useEffect(() => void (latest.current = bindings));
  useEffect(() => {
    const sequence = new KeySequence();
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
      const bound = sequence.press(event.key, event.timeStamp, Object.keys(latest.current));
      if (bound === null) return;
      event.preventDefault();
      latest.current[bound]?.(event);
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}

function isTaken({ target }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open], [role="menu"]') !== null) return true;
  return (
    target instanceof HTMLElement &&
    target.closest('input, textarea, select, [contenteditable="true"]') !== null
  );
}
