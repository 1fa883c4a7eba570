import { agoText, clockText, LOCAL_ZONE, stampText, zonedText } from '../format/time.js';
import { useNow } from '../shell/now.js';
import { usePreferences } from '../shell/preferences.js';

/** A time: its day and clock in the chosen zone, or with `clock` the clock alone. */
export function Stamp({ at, clock = false }: { at: string; clock?: boolean }) {
  const { zone } = usePreferences();
  return (
    <time
      className="num nowrap"
      dateTime={at}
      title={zonedText(at, zone, LOCAL_ZONE)}
      // A printed page has no title on hover, so the print style adds the zone.
      data-zone={zone === 'local' && !clock ? LOCAL_ZONE : undefined}
    >
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
