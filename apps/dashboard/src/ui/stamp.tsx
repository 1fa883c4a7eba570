import { agoText, clockText, stampText } from '../format/time.js';
import { useNow } from '../shell/now.js';
import { usePreferences } from '../shell/preferences.js';

/** A time: its day and clock in the chosen zone, or with `clock` the clock alone. */
export function Stamp({ at, clock = false }: { at: string; clock?: boolean }) {
  const { zone } = usePreferences();
  return (
    <time className="num nowrap" dateTime={at} title={stampText(at, zone)}>
      {clock ? clockText(at, zone) : stampText(at, zone)}
    </time>
  );
}

/** The age of a time, updated every second. The time itself is shown on hover. */
export function Age({ at }: { at: string }) {
  const { zone } = usePreferences();
  const ago = agoText(useNow() - Date.parse(at));
  return (
    <time className="num nowrap" dateTime={at} title={stampText(at, zone)}>
      {ago}
    </time>
  );
}
