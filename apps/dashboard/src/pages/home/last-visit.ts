/** A visit that follows sooner, in milliseconds, is the same visit. */
const SAME_VISIT_MS = 30 * 60_000;

/** Begin of the visit before this one and time of the newest reading, in milliseconds since the epoch. */
export interface Visits {
  before: number | null;
  now: number;
}

/** Returns the visits at a time, from the stored ones. */
export function visitsAt(stored: Visits | null, now: number): Visits {
  if (stored === null) return { before: null, now };
  return now - stored.now > SAME_VISIT_MS ? { before: stored.now, now } : { before: stored.before, now };
}

const KEY = 'casefile.visits';

/** Notes a visit in this browser, and returns the time of the visit before it, ISO 8601; null: it is the first one. */
export function noteVisit(): string | null {
  const visits = visitsAt(storedVisits(), Date.now());
  localStorage.setItem(KEY, JSON.stringify(visits));
  return visits.before === null ? null : new Date(visits.before).toISOString();
}

function storedVisits(): Visits | null {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? 'null') as Partial<Visits> | null;
    if (typeof stored?.now !== 'number') return null;
    return { before: typeof stored.before === 'number' ? stored.before : null, now: stored.now };
  } catch {
    // Another program wrote it: this is the first visit.
    return null;
  }
}
