import type { Fact } from '@casefile/contracts';
import { normalText } from './normal-text.js';

/** Thousands by commas, blanks or apostrophes in groups of three; a point before decimals. */
const NUMBER = /^[-+]?(?:\d{1,3}(?:[, '\u00a0\u202f]\d{3})+|\d+)(?:\.\d+)?$/;
const UNITS: Record<string, string> = { '£': 'gbp', $: 'usd', '€': 'eur', '₹': 'inr', '%': 'percent' };
const TRUTHS: Record<string, boolean> = { true: true, yes: true, false: false, no: false };
const TIME = /^(\d{4}-\d{2}-\d{2})[t ](\d{2}:\d{2})(?::00(?:\.0+)?)?(z|[+-]\d{2}:\d{2})?$/;

/**
 * Does a fact have the value that is claimed of it? Numbers by what they are worth (`£2,000` is 2000 with the unit GBP), a
 * unit only where both name one, truths as `true`, `yes`, texts after normalisation. No dates are worked out:
 * 2 April 2026 is not 2026-04-02. S4-21.
 */
export function sameValue(
  fact: Pick<Fact, 'value' | 'unit'>,
  claimed: Fact['value'],
  claimedUnit?: string,
): boolean {
  if (typeof fact.value === 'boolean') return truthOf(claimed) === fact.value;
  const own = amountOf(fact.value, fact.unit);
  const theirs = amountOf(claimed, claimedUnit);
  if (own !== null && theirs !== null) {
    const units = own.unit === null || theirs.unit === null || own.unit === theirs.unit;
    return own.number === theirs.number && units;
  }
  if (typeof claimed === 'boolean' || typeof fact.value === 'number') return false;
  return textOf(fact.value) === textOf(String(claimed));
}

function truthOf(value: Fact['value']): boolean | null {
  if (typeof value === 'boolean') return value;
  return typeof value === 'string' ? (TRUTHS[normalText(value)] ?? null) : null;
}

interface Amount {
  number: number;
  unit: string | null;
}

function amountOf(value: Fact['value'], unit: string | undefined): Amount | null {
  const named = unit === undefined || unit.trim() === '' ? null : unitOf(unit);
  if (typeof value === 'boolean') return null;
  if (typeof value === 'number') return { number: value, unit: named };
  const parts = /^([^\d+-]*)([-+]?\d(?:[\d, '.\u00a0\u202f]*\d)?)([^\d]*)$/.exec(value);
  const [before = '', digits = '', after = ''] = (parts ?? []).slice(1).map((part) => part.trim());
  if (!NUMBER.test(digits) || (before !== '' && after !== '')) return null;
  const written = before || after;
  const own = written === '' ? null : unitOf(written);
  if (own !== null && named !== null && own !== named) return null;
  return { number: Number(digits.replace(/[, '\u00a0\u202f]/g, '')), unit: own ?? named };
}

function unitOf(text: string): string {
  const unit = normalText(text);
  return UNITS[unit] ?? unit.replace(/^(day|year|month|week|hour)$/, '$1s');
}

function textOf(text: string): string {
  const normal = normalText(text);
  const time = TIME.exec(normal);
  return time === null ? normal : `${time[1]}t${time[2]}${time[3] ?? ''}`;
}
