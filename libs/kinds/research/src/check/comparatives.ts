import { lastPlace, type Figure } from './figures.js';

/**
 * Relation of a figure to the stated value. `from` and `to` are the ends of a range; `nearly` is a value just
 * below, `somewhat_over` one just above.
 */
export type Bound =
  | 'exact'
  | 'exactly'
  | 'about'
  | 'nearly'
  | 'over'
  | 'somewhat_over'
  | 'least'
  | 'under'
  | 'most'
  | 'from'
  | 'to';

/** Characters between a comparative and its figure. */
const LINK =
  '(?:為|是|有|達|到|了|的|每(?:人|戶|件|次|天|日|週|月|年|小時|公斤|度)|another|an?(?: average of)?|the|of)? ?(?:新[台臺]幣|NT\\$|US\\$|\\$|€|£)? ?$';
const before = (zh: string, en: string): RegExp => new RegExp(`(?:${zh}|\\b(?:${en})) ?${LINK}`, 'iu');
/** Characters of a verb between a comparative and its figure, as in `最多可獲補助20萬元`. */
const WITH_VERB = '[\\p{Script=Han}]{0,6}';

/** Words before a figure. Negations come first, because `不超過` contains `超過`. */
const BEFORE: readonly (readonly [RegExp, Bound])[] = [
  [
    before(
      `不超過|不會超過|未超過|未逾|沒有?超過|不高於|不多於|不逾|不得逾|不得超過|(?:至多|最多|頂多|最高(?![溫價點紀記氣]))${WITH_VERB}`,
      "at most|up to|(?:no|not) (?:more|higher|greater|later) than|(?:not|never|n't) (?:to )?(?:exceed(?:ed|ing)?|be (?:more|higher) than|be over|be above)|a maximum of|maximum|as (?:many|much|high) as|not over|capped at|stay within",
    ),
    'most',
  ],
  [
    before(
      `不少於|不低於|不下|不得低於|不得少於|(?:至少|最少|起碼)${WITH_VERB}`,
      'at least|(?:no|not) (?:fewer|less|lower) than|a minimum of|minimum|as (?:few|little) as',
    ),
    'least',
  ],
  [before('恰好|剛好|整整|正好|正是', 'exactly|precisely'), 'exactly'],
  [
    before(
      '不到|未滿|未達|低於|少於|小於|不足|未及',
      '(?:less|fewer|lower|smaller) than|under|below|short of',
    ),
    'under',
  ],
  [
    before(
      '逾|超過|超出|高於|多於|大於|突破|破',
      '(?:more|greater|higher|larger) than|over|above|exceed(?:s|ed|ing)?|upwards of|in excess of|surpass(?:es|ed|ing)?|topped|tops',
    ),
    'over',
  ],
  [before('近|將近|接近|幾近|逼近', 'nearly|almost|close to|approaching'), 'nearly'],
  [before('約|大約|大概|估計', 'about|around|roughly|approximately|some|an estimated|estimated'), 'about'],
];
/** Words after a figure and its unit. */
const BEHIND: readonly (readonly [RegExp, Bound])[] = [
  [
    /^(?:級|歲|元|人|度|戶|件|天|年|次|%|％)?(?:\(含\)|（含）|及|或)?以上| or (?:more|above|older|higher)\b|^ and (?:over|above|up)\b|^\+/iu,
    'least',
  ],
  [
    /^(?:級|歲|元|人|度|戶|件|天|年|次|%|％)?(?:\(含\)|（含）|及|或)?(?:以下|以內|之內)|^ or (?:less|fewer|below|under|lower)\b/iu,
    'most',
  ],
  [/^不到/u, 'under'],
  [/^(?:左右|上下)|^ or so\b/iu, 'about'],
];
const SOMEWHAT_OVER = /^ ?[多餘來](?!源|自|得|名額)|^ ?(?:出頭|-?odd\b)/u;
const RANGE = /^ ?(?:%|％|元|人|年|歲|萬元)? ?(?:至|到|~|～|-|–|—|to|and|through) ?(?:NT\$|US\$|\$|€|£)?$/iu;
const LONGEST = 40;

/**
 * Returns the relation of a figure to its value, by the words before and after it. @param others The
 * neighbouring figures, if any.
 */
export function figureBound(
  text: string,
  { from, end, said }: Figure,
  others: { previous?: Figure | undefined; next?: Figure | undefined } = {},
): Bound {
  const lead = text.slice(Math.max(0, from - LONGEST, others.previous?.end ?? 0), from);
  const found = BEFORE.find(([form]) => form.test(lead))?.[1];
  if (found !== undefined) return found;
  if (SOMEWHAT_OVER.test(text.slice(end, end + 8))) return 'somewhat_over';
  const behindUnit = text.slice(Math.max(end, from + said.length), end + LONGEST);
  const behind = BEHIND.find(([form]) => form.test(behindUnit))?.[1];
  if (behind !== undefined) return behind;
  const { previous, next } = others;
  const joined = (a: Figure, b: Figure) =>
    RANGE.test(text.slice(a.end, b.from).replace(/^[^\s\d至到~～–—-]{0,4}/u, ''));
  // In `by 31,000 to 604,000` the first figure is a change and the second its result.
  const isChange = (one: Figure) => /\bby [$€£]?$/iu.test(text.slice(Math.max(0, one.from - 5), one.from));
  if (previous !== undefined && !isChange(previous) && joined(previous, { from, end } as Figure)) return 'to';
  if (next !== undefined && !isChange({ from } as Figure) && joined({ from, end } as Figure, next))
    return 'from';
  return 'exact';
}

/** For each bound of a claim, the bounds of a source with the same value that support it. */
const SUPPORTS: Record<Bound, readonly Bound[]> = {
  exactly: ['exact', 'exactly', 'from', 'to'],
  exact: ['exact', 'exactly', 'about', 'nearly', 'from', 'to'],
  from: ['exact', 'exactly', 'about', 'least', 'from', 'to'],
  to: ['exact', 'exactly', 'about', 'most', 'from', 'to'],
  about: [
    'exact',
    'exactly',
    'about',
    'nearly',
    'over',
    'somewhat_over',
    'least',
    'under',
    'most',
    'from',
    'to',
  ],
  nearly: ['exact', 'about', 'nearly', 'under', 'most', 'to'],
  over: ['over', 'somewhat_over', 'least', 'from'],
  somewhat_over: ['over', 'somewhat_over', 'least'],
  least: ['over', 'somewhat_over', 'least', 'from'],
  under: ['under', 'most', 'nearly', 'to'],
  most: ['under', 'most', 'nearly', 'to'],
};
const UPWARDS = new Set<Bound>(['over', 'somewhat_over', 'least']);
const DOWNWARDS = new Set<Bound>(['under', 'most', 'nearly']);
/** Largest difference between a rounded claim and the figure of its source, as a share of that figure. */
const ROUNDED = 0.1;
const OPEN_ENDED = 0.3;

/** A value and how it is bounded. */
export interface BoundedValue {
  value: number;
  bound: Bound;
}

/**
 * Returns whether a figure of a source supports a claimed one. The interval of the source must be inside that
 * of the claim. A rounded claim must be within its last written place, and within a tenth (three tenths with
 * a comparative) of the source's value.
 */
export function isWithin(claimed: BoundedValue, source: BoundedValue): boolean {
  const [c, s] = [claimed.value, source.value];
  if (Math.abs(c - s) <= Math.abs(s) * 1e-9) return SUPPORTS[claimed.bound].includes(source.bound);
  if (c === 0 || s === 0) return false;
  const up = UPWARDS.has(claimed.bound);
  const down = DOWNWARDS.has(claimed.bound);
  if (!up && !down && claimed.bound !== 'about') return false;
  if (up && (s < c || DOWNWARDS.has(source.bound))) return false;
  if (down && (s > c || UPWARDS.has(source.bound))) return false;
  const gap = Math.abs(c - s);
  return gap <= lastPlace(c) && gap <= Math.abs(s) * (claimed.bound === 'about' ? ROUNDED : OPEN_ENDED);
}

const EXCEEDS =
  /^[^，。；,;]{0,40}(?:高於|大於|超過|多於|逾|\b(?:exceed(?:s|ed|ing)?|(?:higher|greater|more) than|above)\b)[^，。；,;]{0,30}$/iu;
const FALLS_SHORT =
  /^[^，。；,;]{0,40}(?:低於|小於|少於|不到|\b(?:(?:lower|less|fewer) than|below|under)\b)[^，。；,;]{0,30}$/iu;

/** Returns whether a sentence compares two of its own figures wrongly: `0.98 exceeds the limit of 2.0`. */
export function comparesWrongly(text: string, a: Figure, b: Figure, isSameUnit: boolean): boolean {
  const between = text.slice(a.end, b.from);
  if (!isSameUnit || a.value === b.value || /\b(?:not|never|n't)\b|不會|未|沒有/iu.test(between))
    return false;
  return a.value < b.value ? EXCEEDS.test(between) : FALLS_SHORT.test(between);
}

/** Returns whether two intervals do not overlap, so that both cannot be true of one quantity. */
export function isApart(a: BoundedValue, b: BoundedValue): boolean {
  const [low, high] = a.value <= b.value ? [a, b] : [b, a];
  if (UPWARDS.has(low.bound) || DOWNWARDS.has(high.bound)) {
    const same = Math.abs(low.value - high.value) <= Math.abs(high.value) * 1e-9;
    return (
      same &&
      ((low.bound === 'over' && high.bound === 'under') || (low.bound === 'under' && high.bound === 'over'))
    );
  }
  const isRough = [low, high].some(({ bound }) => bound === 'about' || bound === 'nearly');
  return high.value - low.value > Math.abs(high.value) * (isRough ? ROUNDED : 1e-9);
}
