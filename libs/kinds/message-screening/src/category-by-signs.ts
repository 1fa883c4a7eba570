import table from './sign-categories.json' with { type: 'json' };

/** Category of a scam that fits no other. */
const OTHER = 'other';

/**
 * Returns the category of a scam: that of the nearest known pattern that fits a sign of the text. If none fits, a sign that
 * belongs to few categories decides, then the nearest pattern, then any sign. Patterns alone do not decide, because texts
 * of different scams share words.
 * @param signs kinds of signs in the text
 * @param near categories of the similar patterns, the nearest first
 */
export function categoryBySigns(signs: readonly string[], near: readonly string[]): string {
  const found = table.filter(({ sign }) => signs.includes(sign));
  const fitting = new Set(found.flatMap(({ categories }) => categories));
  return (
    near.find((category) => fitting.has(category)) ??
    found.find(({ decides }) => decides)?.categories[0] ??
    near[0] ??
    found[0]?.categories[0] ??
    OTHER
  );
}
