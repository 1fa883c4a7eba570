import { useEffect, useRef } from 'react';
import type { BoundKey } from './keys.js';

type Bindings = Partial<Record<BoundKey, (event: KeyboardEvent) => void>>;

/**
 * Calls the function bound to a key (`j`) or to two keys in a row (`g c`). Keys are ignored while the user
 * types or a dialog is open.
 * @param level `window`: the keys of every page, which a page that binds the same key overrides. Default: `page`.
 */
export function useKeys(bindings: Bindings, level: 'page' | 'window' = 'page'): void {
  const latest = useRef(bindings);
  useEffect(() => void (latest.current = bindings));
  useEffect(() => {
    const sequence = new KeySequence();
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
      const bound = sequence.press(event.key, event.timeStamp, boundIn(latest.current));
      if (bound === null) return;
      event.preventDefault();
      latest.current[bound]?.(event);
    };
    // An event reaches the document first, whatever was mounted first.
    const target: EventTarget = level === 'page' ? document : window;
    target.addEventListener('keydown', press as EventListener);
    return () => target.removeEventListener('keydown', press as EventListener);
  }, [level]);
}

function boundIn(bindings: Bindings): BoundKey[] {
  return Object.keys(bindings) as BoundKey[];
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

/** Distinguishes single keys from the second key of a sequence. */
export class KeySequence {
  private first: { key: string; at: number } | null = null;

  /** Returns the binding that `key` completes at `at` milliseconds, or null. */
  press<K extends string>(key: string, at: number, bindings: readonly K[]): K | null {
    const first = this.first !== null && at - this.first.at <= WITHIN_MS ? this.first.key : null;
    this.first = null;
    const pair = bindings.find((it) => it === `${first} ${key}`);
    if (first !== null && pair !== undefined) return pair;
    if (bindings.some((it) => it.startsWith(`${key} `))) {
      this.first = { key, at };
      return null;
    }
    return bindings.find((it) => it === key) ?? null;
  }
}
