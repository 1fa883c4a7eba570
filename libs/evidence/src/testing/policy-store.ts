import type { PolicyDocuments, PolicySection, PolicyVersion } from '@casefile/contracts';

const section = (nodeId: string, parentId: string | null, title: string, text: string): PolicySection => ({
  nodeId,
  parentId,
  title,
  text,
  level: parentId === null ? 1 : 2,
  lines: null,
  summary: text,
  pages: { from: Number(nodeId), to: Number(nodeId) },
  characters: text.length,
});

export const SOME_SECTIONS: PolicySection[] = [
  section('0001', null, 'Notice', 'A claim is made in time.'),
  section('0002', '0001', 'Travel', 'On a trip within 21 days of the loss.'),
  section('0003', null, 'Excess', 'Water carries an excess of £350. Subsidence carries more.'),
];

export const bookSection = (
  nodeId: string,
  parentId: string | null,
  text: string,
  title = `T${nodeId}`,
): PolicySection => ({
  nodeId,
  parentId,
  title,
  text,
  level: 1,
  pages: null,
  lines: null,
  summary: `about ${nodeId}`,
  characters: text.length,
});
/** A root, two chapters below it, and rules below those. */
export const BOOK: PolicySection[] = [
  bookSection('0', null, '', 'Book'),
  bookSection('1', '0', 'chapter text about dogs', 'Chapter 1'),
  bookSection('11', '1', 'cats are covered'),
  bookSection('12', '1', 'birds are covered'),
  bookSection('2', '0', '', 'Chapter 2'),
  bookSection('21', '2', 'cats and birds of prey are not covered'),
];

const SOME_VERSION: PolicyVersion = {
  policyId: 'claims',
  version: 1,
  title: 'Claims',
  language: 'en',
  format: 'pdf',
  source: 'claims.pdf',
  pages: 3,
  sections: 3,
  importedAt: '2026-01-01T00:00:00.000Z',
};

/** One policy, `claims` version 1, whose words are matched literally. */
export function aPolicyStore(sections: readonly PolicySection[] = SOME_SECTIONS): PolicyDocuments {
  const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const shared = (text: string, query: string): number => {
    const words = new Set(wordsOf(text));
    return wordsOf(query).filter((word) => words.has(word) && word !== 'for').length;
  };
  const all = ({ policyId, version }: { policyId: string; version: number }): readonly PolicySection[] =>
    policyId === 'claims' && version === 1 ? sections : [];
  const ranked = <T extends { rank: number }>(list: T[], limit: number): T[] =>
    list
      .filter(({ rank }) => rank > 0)
      .sort((a, b) => b.rank - a.rank)
      .slice(0, limit);
  return {
    listPolicies: () => Promise.reject(new Error('a tool does not ask for this')),
    policyVersion: async (policyId, version = 1) =>
      all({ policyId, version }).length === 0 ? null : { ...SOME_VERSION, sections: sections.length },
    policyTree: async (key) => all(key).map(({ text: _text, ...node }) => node),
    policySections: async (key, ids) => all(key).filter(({ nodeId }) => ids.includes(nodeId)),
    searchPolicy: async (key, query, limit) =>
      ranked(
        all(key).map(({ nodeId, title, text }) => ({ nodeId, rank: shared(`${title} ${text}`, query) })),
        limit,
      ),
    findSpans: async (key, ids, query, limit) => {
      const spans = all(key)
        .filter(({ nodeId }) => ids.includes(nodeId))
        .flatMap(({ nodeId, text }) =>
          [...text.matchAll(/[^.]+\./g)].map(({ 0: raw, index }) => ({
            nodeId,
            text: raw.trim(),
            start: index + raw.length - raw.trimStart().length,
            rank: shared(raw, query),
          })),
        );
      return ranked(spans, limit);
    },
  };
}
