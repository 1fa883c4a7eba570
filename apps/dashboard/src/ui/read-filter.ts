/** Reads the filters of these names from the page's URL. Empty and unknown parameters are ignored. */
export function readFilter<Name extends string>(
  names: readonly Name[],
  search: URLSearchParams,
): Partial<Record<Name, string>> {
  const filter: Partial<Record<Name, string>> = {};
  for (const name of names) {
    const value = search.get(name);
    if (value !== null && value !== '') filter[name] = value;
  }
  return filter;
}
