import { useSyncExternalStore } from 'react';

const query = window.matchMedia('(max-width: 860px)');

function subscribe(changed: () => void): () => void {
  query.addEventListener('change', changed);
  return () => query.removeEventListener('change', changed);
}

/** Is the page as narrow as a telephone's? */
export function useNarrow(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches);
}
