import type { Json } from '@casefile/contracts';

/** Longest expression, as data sources accept it. */
const MOST_EXPRESSION = 2_000;

/**
 * Returns the expression of the rule that fired, as Prometheus, Thanos and vmalert state it in the address of the alert:
 * `/graph?g0.expr=...` or `expr=...`. null: the address has none.
 */
export function expressionIn(generatorUrl: Json | undefined): string | null {
  if (typeof generatorUrl !== 'string' || !URL.canParse(generatorUrl)) return null;
  const { searchParams } = new URL(generatorUrl);
  const expression = (searchParams.get('g0.expr') ?? searchParams.get('expr') ?? '').trim();
  return expression === '' || expression.length > MOST_EXPRESSION ? null : expression;
}
