/** `2026-03-02T09:05`, with or without seconds and zone. */
const MOMENT = /\b(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d{1,9})?)?\s?(Z|[+-]\d{2}:?\d{2})?/g;
/** `09:05` that is not part of a longer figure, a date or a port. */
const CLOCK = /(?<![\d:.,T+-]|\d )([01]\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?(?![\d:])/g;
const DAY_MS = 86_400_000;

/**
 * Returns the latest time in a text, in milliseconds since the epoch; null: no time. A time without a zone is
 * in UTC. A time of day without a date is the one closest to `near`, and is ignored if `near` is null.
 */
export function latestMomentIn(text: string, near: number | null): number | null {
  const moments = [...text.matchAll(MOMENT)].map(([, day, minutes, seconds = '00', zone = 'Z']) =>
    Date.parse(`${day}T${minutes}:${seconds}${zone.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2')}`),
  );
  const clocks =
    near === null
      ? []
      : [...text.replace(MOMENT, ' ').matchAll(CLOCK)].map(([, hours, minutes]) =>
          nextTo(near, (Number(hours) * 60 + Number(minutes)) * 60_000),
        );
  const known = [...moments, ...clocks].filter((moment) => !Number.isNaN(moment));
  return known.length === 0 ? null : known.reduce((latest, one) => Math.max(latest, one));
}

/** Returns the moment of this time of day that is at most half a day from `near`. */
function nextTo(near: number, timeOfDay: number): number {
  const moment = near - (near % DAY_MS) + timeOfDay;
  const apart = moment - near;
  if (apart > DAY_MS / 2) return moment - DAY_MS;
  return apart < -DAY_MS / 2 ? moment + DAY_MS : moment;
}
