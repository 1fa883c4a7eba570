import { useEffect, useRef } from 'react';

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

/** The second key of a sequence has to follow within this, in milliseconds. */
const WITHIN_MS = 1_200;

/** Tells single keys from the second of two. */
export class KeySequence {
  private first: { key: string; at: number } | null = null;

  /** The binding that `key` completes, at `at` milliseconds; null: none does. */
  press(key: string, at: number, bindings: readonly string[]): string | null {
    const first = this.first !== null && at - this.first.at <= WITHIN_MS ? this.first.key : null;
    this.first = null;
    const pair = `${first} ${key}`;
    if (first !== null && bindings.includes(pair)) return pair;
    if (bindings.some((it) => it.startsWith(`${key} `))) {
      this.first = { key, at };
      return null;
    }
    return bindings.includes(key) ? key : null;
  }
}
