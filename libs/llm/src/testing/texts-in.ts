import type { Json } from '@casefile/contracts';

/** The items of a provider state. */
export function itemsIn(state: Json): Json {
  const texts =
    typeof state === 'object' && state !== null && !Array.isArray(state) ? state.items : undefined;
  return texts ?? null;
}

/** Every text in a value. */
export function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
