import { readFilter } from '../../ui/read-filter.js';

/** Filters and order of the list of cases, by the parameter names of the API and of the page's URL. */
export const FILTERS = [
  'q',
  'status',
  'playbook',
  'action',
  'disposition',
  'method',
  'degraded',
  'lane',
  'missing',
  'from',
  'to',
  'order',
] as const;
export type FilterName = (typeof FILTERS)[number];
export type CaseFilter = Partial<Record<FilterName, string>>;

/** Reads the filter from the page's URL. Unknown parameters are ignored. */
export function filterFrom(search: string): CaseFilter {
  return readFilter(FILTERS, new URLSearchParams(search));
}

/** Returns the filter as a query string with `?`, or '' without filters. The order is always the same. */
export function filterSearch(filter: CaseFilter, extra: Record<string, string> = {}): string {
  const search = new URLSearchParams();
  for (const name of FILTERS) {
    const value = filter[name];
    if (value !== undefined && value !== '') search.set(name, value);
  }
  for (const [name, value] of Object.entries(extra)) search.set(name, value);
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
