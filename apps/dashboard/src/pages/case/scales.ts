import type { Scale } from '@casefile/contracts';

/** The band a value is in; null: no bound decided. */
export function bandOf({ bands, value }: Pick<Scale, 'bands' | 'value'>): string | null {
  return bands.findLast(({ from }) => value >= from)?.label ?? null;
}
