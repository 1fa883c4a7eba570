/** Remembers which content was sent with which id, to check that it comes back unchanged. */
export interface Memory {
  remember(id: string, content: string): void;
  knows(id: string): boolean;
  /** Returns everything that was sent with this id. A scripted answer has the same id each time. */
  contentsOf(id: string): string[];
  /** Returns whether the id was sent before, but never with this content. */
  contradicts(id: string, returned: string): boolean;
  forget(): void;
}

const IDS_KEPT = 10_000;
/** Maximum contents per id. With more, the id no longer proves anything. */
const MOST_AN_ID = 200;

export function createMemory(): Memory {
  const byId = new Map<string, Set<string>>();
  return {
    remember(id, content) {
      const contents = byId.get(id) ?? new Set();
      if (contents.size <= MOST_AN_ID) contents.add(content);
      byId.delete(id);
      byId.set(id, contents);
      const [oldest] = byId.keys();
      if (byId.size > IDS_KEPT && oldest !== undefined) byId.delete(oldest);
    },
    knows: (id) => byId.has(id),
    contentsOf: (id) => [...(byId.get(id) ?? [])],
    contradicts(id, returned) {
      const contents = byId.get(id);
      return contents !== undefined && contents.size <= MOST_AN_ID && !contents.has(returned);
    },
    forget: () => byId.clear(),
  };
}
