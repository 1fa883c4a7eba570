const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const tenth = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

/** `12,345`; from a hundred thousand on `123.5K`. */
export function countText(n: number): string {
  return Math.abs(n) < 100_000 ? whole.format(n) : short.format(n);
}

/** Formats a rate per minute: `0`, `0.4`, `12`, `1.2K`. */
export function rateText(perMinute: number): string {
  if (perMinute >= 1_000) return short.format(perMinute);
  return perMinute >= 10 ? whole.format(perMinute) : tenth.format(perMinute);
}

/**
 * Formats US dollars with significant digits: `$0`, `$0.00042`, `$0.031`, `$12.40`. null: no price is known.
 */
export function moneyText(usd: number | null): string {
  if (usd === null) return 'no price';
  if (usd === 0) return '$0';
  if (usd >= 1) return `$${usd.toFixed(2)}`;
  return `$${Number(usd.toPrecision(2)).toFixed(Math.min(8, decimalsFor(usd)))}`;
}

// Returns the decimals for two non-zero digits, at least two.
function decimalsFor(usd: number): number {
  return Math.max(2, 1 - Math.floor(Math.log10(Math.abs(usd))));
}

/** Formats a share from 0 to 1 as `12 %`, or as `0.4 %` below one percent. */
export function percentText(share: number): string {
  const percent = share * 100;
  const digits = percent > 0 && percent < 1 ? 1 : 0;
  return `${percent.toFixed(digits)} %`;
}

/** `1 call`, `3 calls`. */
export function countOf(n: number, one: string, many = `${one}s`): string {
  return `${countText(n)} ${n === 1 ? one : many}`;
}

/** Number of jobs; a dash if the queue store does not answer. */
export function jobsText(n: number | null): string {
  return n === null ? '–' : countText(n);
}
