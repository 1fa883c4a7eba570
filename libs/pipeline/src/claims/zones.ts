import table from './words/zones.json' with { type: 'json' };

const plain = (name: string): string =>
  name.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC').toLowerCase().replaceAll('_', ' ').trim();

/** Zones of the IANA database by the city that names them, and by names of cities in other languages. */
const BY_CITY: ReadonlyMap<string, string> = new Map([
  ...Intl.supportedValuesOf('timeZone').map((zone): [string, string] => [
    plain(zone.split('/').at(-1)!),
    zone,
  ]),
  ...Object.entries(table.cities).flatMap(([names, zone]) =>
    names.split('|').map((name): [string, string] => [plain(name), zone]),
  ),
]);
const BY_NAME: ReadonlyMap<string, string> = new Map(
  Intl.supportedValuesOf('timeZone').map((zone) => [zone.toLowerCase(), zone]),
);

const CITY = String.raw`\p{Lu}[\p{L}\p{M}]{1,20}(?: \p{Lu}[\p{L}\p{M}]{1,20}){0,2}`;
/** `America/Bogota`, `(hora de Bogotá)`, `Tokyo time`, `倫敦時間`, right behind a time. */
const NAMED = new RegExp(
  String.raw`^ ?[(（]?(?:(?<id>\p{Lu}\p{L}{2,12}\/\p{Lu}[\p{L}_/-]{2,30})|(?:${table.before}) ?(?<after>${CITY})|(?<lead>${CITY}|[\p{Script=Han}\p{Script=Katakana}ー]{2,8}?) ?(?:${table.behind})(?!\p{L}))`,
  'u',
);
const LOOK = 60;

/** Formatters, because making one is slow. */
const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the offset of the zone that a text names by its id or its city at the beginning, as `+09:00`; null: it names
 * none. @param at Time for which the offset is valid, in milliseconds.
 */
export function namedOffset(text: string, at: number): string | null {
  const { id, after, lead } = NAMED.exec(text.slice(0, LOOK))?.groups ?? {};
  const zone = id === undefined ? BY_CITY.get(plain(after ?? lead ?? '')) : BY_NAME.get(id.toLowerCase());
  if (zone === undefined) return null;
  const formatter =
    formatters.get(zone) ?? new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' });
  formatters.set(zone, formatter);
  const said = formatter.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  return /[+-]\d\d:\d\d/.exec(said)?.[0] ?? '+00:00';
}
