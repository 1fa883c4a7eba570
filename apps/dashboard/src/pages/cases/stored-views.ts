/** Filters of the list of cases with a name. `search`: query of the address, with `?`. */
export interface View {
  name: string;
  search: string;
}

const KEY = 'casefile.views';
/** Most views of a browser. */
const MOST = 20;

/** Reads the views of this browser. What is no view is ignored. */
export function readViews(): View[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? stored.filter(isView).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

function isView(value: unknown): value is View {
  if (typeof value !== 'object' || value === null) return false;
  const { name, search } = value as Partial<View>;
  return typeof name === 'string' && typeof search === 'string' && search.startsWith('?');
}

/** Stores the views in this browser. */
export function writeViews(views: readonly View[]): void {
  localStorage.setItem(KEY, JSON.stringify(views));
}

/** Returns the views with another one; it replaces the one of its name. Above the limit the oldest is dropped. */
export function withView(views: readonly View[], view: View): View[] {
  return [...withoutView(views, view.name), view].slice(-MOST);
}

/** Returns the views without the one of this name. */
export function withoutView(views: readonly View[], name: string): View[] {
  return views.filter((view) => view.name !== name);
}
