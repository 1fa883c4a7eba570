import { agoText, clockText, stampText, zonedText } from '../format/time.js';
import { useNow } from '../shell/now.js';
import { usePreferences } from '../shell/preferences.js';

const LOCAL_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A time: its day and clock in the chosen zone, or with `clock` the clock alone. */
export function Stamp({ at, clock = false }: { at: string; clock?: boolean }) {
  const { zone } = usePreferences();
  return (
    <time className="num nowrap" dateTime={at} title={zonedText(at, zone, LOCAL_ZONE)}>
      {clock ? clockText(at, zone) : stampText(at, zone)}
    </time>
  );
}

/** The age of a time, updated every second. The time with its zone is shown on hover. */
export function Age({ at }: { at: string }) {
  const { zone } = usePreferences();
  const ago = agoText(useNow() - Date.parse(at));
  return (
    <time className="num nowrap" dateTime={at} title={zonedText(at, zone, LOCAL_ZONE)}>
      {ago}
    </time>
  );
}
