import { useCallback, useSyncExternalStore } from 'react';

/** Does the media query apply, now and as it changes? */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', changed);
      return () => media.removeEventListener('change', changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => window.matchMedia(query).matches);
}

/** Is the page as narrow as a telephone's? */
export function useNarrow(): boolean {
  return useMedia('(max-width: 860px)');
}
