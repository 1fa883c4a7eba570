/** Words before a start time, in the languages of the outage words. */
const SINCE_WORDS =
  'since|started at|starting at|started|began at|from|seit|ab|depuis|desde|dal|dalle|sinds|vanaf|sedan|siden|fra|od|din|kezdve|itibaren|с|з|από|منذ|מאז|tu|sejak|从|從|自';
/** Words between such a word and the time. */
const BETWEEN =
  'about|around|approx|ca|circa|etwa|gegen|las|la|les|as|le|o|ore|godz|klo|kl|ora|saat|الساعة|上午|下午';
const TIME = String.raw`((?:\d{4}-\d\d-\d\d[T ])?)(\d{1,2})(?:[:.h]|時|点|點|시)(\d\d)?(?::(\d\d)(?:[.,]\d{1,6})?)?`;
const ZONE = String.raw`\s?(Z|UTC|GMT|[+-]\d\d:?\d\d|[AaPp]\.?[Mm]\.?)?(?![\p{L}\d])`;
const FORMS = [
  new RegExp(
    String.raw`(?<!\p{L})(?:${SINCE_WORDS})[\s.]{0,3}(?:(?:${BETWEEN})[\s.]{1,3}){0,2}${TIME}${ZONE}`,
    'iu',
  ),
  // In these languages the word follows the time, such as "10時から".
  new RegExp(String.raw`(?<![\d:.])${TIME}()(?:分)?\s?(?:から|부터|से|以来|起|开始|開始|itibaren|óta)`, 'u'),
  // A log line, or the time of an alert template.
  new RegExp(
    String.raw`^[\s[(<]{0,8}(\d{4}-\d\d-\d\d[T ])(\d\d):(\d\d)(?::(\d\d)(?:[.,]\d{1,6})?)?${ZONE}`,
    'mu',
  ),
];
const LOOKED_AT = 4_000;
const DAY_MS = 86_400_000;
/** Largest lead of a clock time over the time at which the text was received, in milliseconds. */
const AHEAD_MS = 10 * 60_000;

/** The time from which a text reports its problem. */
export interface Since {
  /** ISO 8601; null: the text has no time zone, so the instant is unknown. */
  at: string | null;
  /** The time as written in the text. */
  written: string;
}

/**
 * Returns the time from which a text reports its problem; null: it states none.
 * @param receivedAt ISO 8601. Its day is used for a clock time without a date.
 */
export function sinceInText(text: string, receivedAt: string): Since | null {
  const head = text.slice(0, LOOKED_AT);
  for (const form of FORMS) {
    const match = form.exec(head);
    if (match === null) continue;
    const [whole, date = '', hour = '', minute = '00', second = '00', zone = ''] = match;
    if (Number(hour) > 23 || Number(minute) > 59) continue;
    const clock = `${hour.padStart(2, '0')}:${minute}:${second}`;
    const offset = /^(?:z|utc|gmt)$/i.test(zone) ? 'Z' : /^[+-]/.test(zone) ? zone : null;
    const written = whole.trim().slice(0, 60);
    return { at: offset === null ? null : instantOf(date.slice(0, 10), clock, offset, receivedAt), written };
  }
  return null;
}

function instantOf(date: string, clock: string, offset: string, receivedAt: string): string | null {
  const received = Date.parse(receivedAt);
  const day = date === '' ? receivedAt.slice(0, 10) : date;
  const at = Date.parse(
    `${day}T${clock}${offset.length === 5 ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset}`,
  );
  if (Number.isNaN(at)) return null;
  const isYesterday = date === '' && at > received + AHEAD_MS;
  return new Date(isYesterday ? at - DAY_MS : at).toISOString();
}
