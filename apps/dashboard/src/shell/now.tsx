import { useSyncExternalStore } from 'react';

let now = Date.now();
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | null = null;

function subscribe(watcher: () => void): () => void {
  watchers.add(watcher);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const it of watchers) it();
  }, 1_000);
  return () => {
    watchers.delete(watcher);
    if (watchers.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };
}

/** Returns milliseconds since the epoch, updated every second. One timer serves all ages on the page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}
