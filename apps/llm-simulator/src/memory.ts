/** What was handed out with which id, to see whether it comes back as it was. */
export interface Memory {
  remember(id: string, given: string): void;
  knows(id: string): boolean;
  /** Everything that was ever handed out with this id: a scripted answer has the same id each time. */
  givenWith(id: string): string[];
  /** The id was handed out, but never with this. */
  contradicts(id: string, returned: string): boolean;
  forget(): void;
}

const IDS_KEPT = 10_000;
/** An id that came with more than this tells nothing any more. */
const MOST_AN_ID = 200;

export function createMemory(): Memory {
  const byId = new Map<string, Set<string>>();
  return {
    remember(id, given) {
      const known = byId.get(id) ?? new Set();
      if (known.size <= MOST_AN_ID) known.add(given);
      byId.delete(id);
      byId.set(id, known);
      const [oldest] = byId.keys();
      if (byId.size > IDS_KEPT && oldest !== undefined) byId.delete(oldest);
    },
    knows: (id) => byId.has(id),
    givenWith: (id) => [...(byId.get(id) ?? [])],
    contradicts(id, returned) {
      const known = byId.get(id);
      return known !== undefined && known.size <= MOST_AN_ID && !known.has(returned);
    },
    forget: () => byId.clear(),
  };
}
