import { datesIn } from './dates.js';
import { numeralAt, round } from './numerals.js';

/** A figure of a text with its unit. */
export interface Figure {
  value: number;
  /** Unit of the figure; null: not stated. */
  unit: string | null;
  /** Rounding that the words before the figure state: none, to either side, or to one side. */
  rounding: 'exact' | 'about' | 'over' | 'under';
  said: string;
  from: number;
  /** Position after the numeral and its scale, before the unit. */
  end: number;
  /** true for `一個`, `one` and the like: valid as a figure of a source, but no claim in a report. */
  isSlight: boolean;
}

const SCALES: Record<string, number> = {
  hundred: 100,
  thousand: 1e3,
  million: 1e6,
  billion: 1e9,
  trillion: 1e12,
};
/** Units after a number, the longest first. */
const UNITS: readonly (readonly [RegExp, string])[] = [
  [/^ ?(?:個百分點|百分點|percentage points?)/iu, 'points'],
  [/^ ?(?:%|percent\b|per cent\b|趴)/iu, 'percent'],
  [/^ ?(?:美元|美金|US dollars?)/iu, 'USD'],
  [/^ ?(?:日圓|日元|yen\b)/iu, 'JPY'],
  [/^ ?(?:歐元|euros?\b)/iu, 'EUR'],
  [/^ ?(?:人民幣)/u, 'CNY'],
  [/^ ?(?:港元|港幣)/u, 'HKD'],
  [/^ ?(?:元|圓|塊錢?|新[台臺]幣)/u, 'TWD'],
  [/^ ?(?:度電|度|kWh|千瓦時)/iu, 'degree'],
  [/^ ?(?:℃|°C)/iu, 'degree'],
  [/^ ?(?:人次)/u, 'visits'],
  [/^ ?(?:人|名|位|people\b|persons?\b)/iu, 'people'],
  [/^ ?(?:萬?戶|households?\b)/iu, 'households'],
  [/^ ?(?:家|間|companies\b|firms\b)/iu, 'firms'],
  [/^ ?(?:件|起|宗|案|cases?\b)/iu, 'cases'],
  [/^ ?(?:個月|months?\b)/iu, 'months'],
  [/^ ?(?:年|years?\b)/iu, 'years'],
  [/^ ?(?:天|日|days?\b)/iu, 'days'],
  [/^ ?(?:小時|hours?\b)/iu, 'hours'],
  [/^ ?(?:分鐘|分(?![之別])|minutes?\b)/iu, 'minutes'],
  [/^ ?(?:時(?![間候代期常速])|點(?![數多])|[ap]\.?m\b)/iu, 'clock'],
  [/^ ?[強弱](?![度化調烈勢])/u, 'intensity'],
  [/^ ?(?:公里|kilometres?\b|kilometers?\b|km\b)/iu, 'km'],
  [/^ ?(?:公尺|metres?\b|meters?\b)/iu, 'metres'],
  [/^ ?(?:公噸|噸|tonnes?\b|tons?\b)/iu, 'tonnes'],
  [/^ ?(?:公斤|kg\b)/iu, 'kg'],
  [/^ ?(?:公頃|hectares?\b)/iu, 'hectares'],
  [/^ ?(?:GW|百萬瓩)/u, 'GW'],
  [/^ ?(?:MW|千瓩)/u, 'MW'],
  [/^ ?(?:kW|瓩)/u, 'kW'],
  [/^ ?(?:倍|times\b|-?fold\b)/iu, 'times'],
  [/^ ?(?:歲|years? old\b)/iu, 'age'],
  [/^ ?(?:所|座|處|棟|輛|架|班|艘|項|條|場|回|次|檔|縣市|席|票|里|鄉鎮|級|集|款|座標|坪)/u, 'counted'],
  [/^ ?(?:dollars?\b)/iu, 'dollars'],
];
const BEFORE: readonly (readonly [RegExp, string])[] = [
  [/(?:NT\$|NTD|TWD|新[台臺]幣) ?$/iu, 'TWD'],
  [/(?:US\$|USD|美金) ?$/iu, 'USD'],
  [/€ ?$/u, 'EUR'],
];
const ABOUT =
  /(?:約|大約|大概|接近|近|將近|about|around|roughly|approximately|nearly|almost|some)(?:為|是|有|達)? ?(?:NT\$|US\$|\$|€|新[台臺]幣)? ?$/iu;
const OVER =
  /(?:逾|超過|高於|突破|至少|破|more than|over|above|at least|exceed(?:s|ed|ing)?) ?(?:NT\$|US\$|\$|€|新[台臺]幣)? ?$/iu;
const UNDER =
  /(?:不到|未滿|低於|少於|不足|less than|under|below|fewer than) ?(?:NT\$|US\$|\$|€|新[台臺]幣)? ?$/iu;
const ABOUT_BEHIND = /^ ?(?:[多餘]|左右|上下|or so)/iu;
const WORDS: Record<string, number> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  fifteen: 15,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
};
const WORD = new RegExp(`\\b(${Object.keys(WORDS).join('|')})\\b`, 'giu');
const LETTER = /[A-Za-z]/;

/**
 * Returns every figure of a text that is not part of a date. Linear: each character is read a bounded number
 * of times.
 */
export function figuresIn(text: string): Figure[] {
  const dates = datesIn(text);
  const figures: Figure[] = [];
  let next = 0;
  for (let at = 0; at < text.length;) {
    while (next < dates.length && dates[next]!.to <= at) next += 1;
    const date = dates[next];
    if (date !== undefined && at >= date.from) {
      at = date.to;
      continue;
    }
    const read = figureAt(text, at);
    if (read === null) {
      at += 1;
      continue;
    }
    if (read.figure !== null) figures.push(read.figure);
    at = read.end;
  }
  return [...figures, ...wordsIn(text)];
}

function figureAt(text: string, at: number): { figure: Figure | null; end: number } | null {
  if (text.startsWith('百分之', at)) {
    const share = numeralAt(text, at + 3);
    return share === null
      ? null
      : { figure: parseFigure(text, at, { ...share, unit: 'percent' }), end: share.end };
  }
  // `百分點` is a unit, not a hundred.
  const numeral = text.startsWith('百分', at) ? null : numeralAt(text, at);
  if (numeral === null) return null;
  const { end, hasFigures, value } = numeral;
  const before = text[at - 1] ?? '';
  // Skips parts of a word or id (`E3`, `COVID-19`, `5G`) and numbers of list items.
  if (hasFigures && (LETTER.test(before) || (before === '-' && LETTER.test(text[at - 2] ?? ''))))
    return { figure: null, end };
  const tenths = /^成(?!立|為|長|功|本|員|果|效|年|人|分|績|交|形|品)([一二三四五六七八九半])?/u.exec(
    text.slice(end, end + 3),
  );
  if (tenths !== null && value >= 1 && value <= 10) {
    const more = tenths[1] === undefined ? 0 : tenths[1] === '半' ? 5 : (numeralAt(tenths[1], 0)?.value ?? 0);
    return {
      figure: parseFigure(text, at, {
        value: value * 10 + more,
        end: end + tenths[0].length,
        unit: 'percent',
      }),
      end: end + tenths[0].length,
    };
  }
  // Skips the tier of a source, which is a term of this project and not a figure of the source.
  if (isTier(text, at, end)) return { figure: null, end };
  const scaled = scaledBy(text, numeral);
  const unit = unitAt(text, at, scaled.end);
  // Skips unknown multiples of a hundred or thousand, and Chinese numerals that are words: 一般, 三立, 統一.
  if (!hasFigures && (/[數幾好上統第]/u.test(before) || (unit === null && (numeral.isPlain || end - at < 2))))
    return { figure: null, end };
  if (hasFigures && /^[A-Za-z]/.test(text.slice(scaled.end)) && unit === null && scaled.end === end)
    return { figure: null, end };
  // `一個` and `兩件事` are figures of speech rather than counts.
  const isSlight = !hasFigures && (value === 1 || (value === 2 && (unit === 'cases' || unit === 'counted')));
  const figure = parseFigure(text, at, { value: scaled.value, end: scaled.end, unit });
  return { figure: { ...figure, isSlight }, end: scaled.end };
}

const isTier = (text: string, at: number, end: number): boolean =>
  /tier ?$/i.test(text.slice(Math.max(0, at - 5), at)) ||
  (/第 ?$/u.test(text.slice(Math.max(0, at - 2), at)) &&
    /^ ?[、與和]? ?(?:第|[1-5] ?級|級)/u.test(text.slice(end, end + 6)));

function scaledBy(
  text: string,
  { value, end }: { value: number; end: number },
): { value: number; end: number } {
  const [whole, word = ''] =
    /^[ -]?(hundred|thousand|million|billion|trillion)\b/i.exec(text.slice(end, end + 12)) ?? [];
  if (whole === undefined) return { value, end };
  return { value: round(value * SCALES[word.toLowerCase()]!), end: end + whole.length };
}

function unitAt(text: string, at: number, end: number): string | null {
  const behind = text.slice(end, end + 20).replace(/^ ?[多餘]/u, '');
  const before = text.slice(Math.max(0, at - 8), at);
  return (
    UNITS.find(([form]) => form.test(behind))?.[1] ?? BEFORE.find(([form]) => form.test(before))?.[1] ?? null
  );
}

/** Returns the length of the unit after a number. */
const unitLength = (behind: string): number =>
  UNITS.map(([form]) => form.exec(behind)?.[0].length ?? 0).find((length) => length > 0) ?? 0;

function parseFigure(
  text: string,
  from: number,
  { value, end, unit }: { value: number; end: number; unit: string | null },
): Figure {
  const before = text.slice(Math.max(0, from - 24), from);
  const behind = text.slice(end, end + 8);
  const rounding =
    ABOUT.test(before) || ABOUT_BEHIND.test(behind)
      ? 'about'
      : OVER.test(before)
        ? 'over'
        : UNDER.test(before)
          ? 'under'
          : 'exact';
  const said = text.slice(from, end + unitLength(text.slice(end, end + 20)));
  return { value, unit, rounding, said, from, end, isSlight: false };
}

function wordsIn(text: string): Figure[] {
  return [...text.matchAll(WORD)].map((match) => {
    const end = match.index + match[0].length;
    const scaled = scaledBy(text, { value: WORDS[match[0].toLowerCase()]!, end });
    return {
      ...parseFigure(text, match.index, { ...scaled, unit: unitAt(text, match.index, scaled.end) }),
      isSlight: scaled.end === end,
    };
  });
}

/**
 * Returns whether a figure of a source supports a claimed one: the units agree, and the values agree exactly
 * or within the stated rounding.
 */
export function sameFigure(claimed: Figure, told: Figure): boolean {
  if (!sameUnit(claimed.unit, told.unit)) return false;
  const [c, t] = [claimed.value, told.value];
  if (Math.abs(c - t) <= Math.abs(t) * 1e-9) return true;
  if (claimed.rounding === 'exact' || c === 0 || t === 0) return false;
  if (claimed.rounding === 'over' && c > t) return false;
  if (claimed.rounding === 'under' && c < t) return false;
  return Math.abs(c - t) <= lastPlace(c) && Math.abs(c - t) <= Math.abs(t) * 0.1;
}

/** Units of counted things. They are interchangeable: `23 名` may become `23 人`. */
const COUNTS = new Set(['counted', 'people', 'visits', 'households', 'firms', 'cases']);
const isCount = (unit: string): boolean => COUNTS.has(unit);

function sameUnit(a: string | null, b: string | null): boolean {
  return a === null || b === null || a === b || (isCount(a) && isCount(b));
}

/** Returns the place value of the last digit that is not zero. A rounded figure is exact to this place. */
export function lastPlace(value: number): number {
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const decimals = (mantissa.split('.')[1] ?? '').length;
  return 10 ** (Number(exponent) - decimals);
}
