/** Statement of a source in parts, so that it can be repeated in other words or wrongly. */
export interface SourceStatement {
  org: string;
  person: string;
  title: string;
  what: string;
  amount: number;
  unit: string;
  date: { y: number; m: number; d: number };
  quote: string;
}

/** A source as the forger makes it; `tier` null is an unknown one. */
export interface ForgedSource {
  id: string;
  site: string;
  tier: number | null;
  published: string;
  text: string;
  statement: SourceStatement;
}

/** One sentence of a report with the sources that its case has. */
export interface CitedSentence {
  language: 'zh' | 'en';
  sentence: string;
  sources: readonly ForgedSource[];
  /** Kind of forgery; null: the sentence is honest. */
  forged: (typeof FORGERIES)[number] | null;
}

export const FORGERIES = [
  'wrong id',
  'altered number',
  'altered scale',
  'altered date',
  'altered name',
  'altered quote',
  'tier',
  'date out of range',
  'foreign case',
] as const;

/** Days that the made-up cases are about; a source that is older is none of theirs. */
export const PERIOD = { from: '2025-01-01', to: '2025-12-31' };

export const DIGITS = '零一二三四五六七八九';

/** A whole number below a billion in Chinese numerals. */
export function inChinese(value: number): string {
  if (value >= 10_000) {
    const rest = value % 10_000;
    const gap = rest > 0 && rest < 1_000 ? '零' : '';
    return `${inChinese(Math.floor(value / 10_000))}萬${rest === 0 ? '' : gap + inChinese(rest)}`;
  }
  let out = '';
  let gap = false;
  for (const [unit, name] of [
    [1_000, '千'],
    [100, '百'],
    [10, '十'],
    [1, ''],
  ] as const) {
    const digit = Math.floor(value / unit) % 10;
    if (digit === 0) gap = out !== '';
    else {
      out += `${gap ? '零' : ''}${DIGITS[digit]}${name}`;
      gap = false;
    }
  }
  return out.replace(/^一十/, '十');
}

/** The same figures in full width. */
export const fullWidth = (text: string): string =>
  text.replaceAll(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));

export const withCommas = (value: number): string => String(value).replaceAll(/\B(?=(?:\d{3})+(?!\d))/g, ',');

/** Rounded to its first digits. */
export function rounded(value: number, digits: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) + 1 - digits);
  return Math.round(value / unit) * unit;
}
