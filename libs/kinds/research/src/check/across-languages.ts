import { type Figure, sameFigure } from '@casefile/pipeline/reading/index';
import type { Original } from './passages.js';

/**
 * Returns whether a source in another language has the value of a figure, with any unit, because units and
 * comparatives are words. A one makes no claim: some languages write it where others do not (`per
 * kilowatt-hour`, `1キロワット時`).
 */
export function hasValue(claimed: Figure, source: Original): boolean {
  const { value } = claimed;
  if (value === 1 || source.years.has(value)) return true;
  const figures =
    source.writing() === 'latin' ? [...source.figures, ...source.pointFigures()] : source.figures;
  return (
    figures.some((told) => sameFigure({ ...claimed, unit: told.unit }, told)) ||
    source.dates.some(({ y, m, d }) => [y, m, d].includes(value))
  );
}

/**
 * Returns whether a source in another language may write a name differently. Only names in Latin letters in
 * English sources are the same.
 */
export const isTranslated = (name: string, source: Original): boolean =>
  source.writing() !== 'en' || !/[a-z]/i.test(name);
