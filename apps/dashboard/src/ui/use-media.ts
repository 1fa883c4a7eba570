import { useCallback, useSyncExternalStore } from 'react';

/** Returns whether the media query matches, and updates when this changes. */
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

/** Returns whether the page is as narrow as on a phone. */
export function useNarrow(): boolean {
  return useMedia('(max-width: 860px)');
}
