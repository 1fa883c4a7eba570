import { useSearchParams } from 'wouter';
import { readFilter } from './read-filter.js';

/**
 * Returns the filters of these names from the page's URL, and a function that sets one of them there. An empty value
 * removes the filter.
 */
export function useFilter<Name extends string>(
  names: readonly Name[],
): [filter: Partial<Record<Name, string>>, set: (name: Name) => (value: string) => void] {
  const [search, setSearch] = useSearchParams();
  const set = (name: Name) => (value: string) =>
    setSearch(
      (before) => {
        if (value === '') before.delete(name);
        else before.set(name, value);
        return before;
      },
      { replace: true },
    );
  return [readFilter(names, search), set];
}
