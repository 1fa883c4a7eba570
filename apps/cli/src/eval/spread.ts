/** At most so many, spread evenly over what there is; the same ones each time. null: all. */
export function spread<T>(all: T[], count: number | null): T[] {
  if (count === null || all.length <= count) return all;
  return Array.from({ length: count }, (_, i) => all[Math.floor((i * all.length) / count)] as T);
}
