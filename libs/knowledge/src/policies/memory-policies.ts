import {
  stored,
  type Clock,
  type PolicyKey,
  type PolicySection,
  type PolicyVersion,
} from '@casefile/contracts';
import {
  checkedPolicy,
  checkedSummaries,
  digestOfPolicy,
  type PolicyBase,
  type PolicyImport,
  type PolicyInput,
} from './policy-base.js';
import { piecesOf } from './text-spans.js';

interface Entry {
  facts: PolicyVersion;
  digest: string;
  sourceDigest: string;
  sections: PolicySection[];
}
interface Versions {
  current: number;
  entries: Entry[];
}

/** Policy documents in this process's memory: for tests. Words are looked up as they are written, without their stems. */
export function memoryPolicies(clock: Clock): PolicyBase {
  const policies = new Map<string, Versions>();
  const entryOf = ({ policyId, version }: PolicyKey): Entry | undefined =>
    policies.get(policyId)?.entries.find(({ facts }) => facts.version === version);
  const currentOf = (policyId: string): Entry | undefined =>
    entryOf({ policyId, version: policies.get(policyId)?.current ?? 0 });
  const sectionsOf = (key: PolicyKey): PolicySection[] => entryOf(key)?.sections ?? [];

  return {
    importPolicy: async (input) => importInto(policies, checkedPolicy(stored(input)), clock),
    policyOfSource: async (policyId, sourceDigest) => {
      const entry = currentOf(policyId);
      return entry?.sourceDigest === sourceDigest ? entry.facts : null;
    },
    listPolicies: async () =>
      [...policies.keys()].sort().flatMap((policyId) => currentOf(policyId)?.facts ?? []),
    policyVersion: async (policyId, version) =>
      (version === undefined ? currentOf(policyId) : entryOf({ policyId, version }))?.facts ?? null,
    policyTree: async (key) => sectionsOf(key).map(({ text: _text, ...node }) => node),
    policySections: async (key, nodeIds) => sectionsOf(key).filter(({ nodeId }) => nodeIds.includes(nodeId)),
    saveSummaries: async (key, summaries) => {
      const sections = new Map(sectionsOf(key).map((section) => [section.nodeId, section]));
      const known = stored(checkedSummaries(summaries)).filter(({ nodeId }) => sections.has(nodeId));
      for (const { nodeId, summary, by } of known)
        Object.assign(sections.get(nodeId) ?? {}, { summary, summaryBy: by });
      return known.length;
    },
    searchPolicy: async (key, query, limit) => {
      const sections = sectionsOf(key).map(({ nodeId, title, text }) => ({
        nodeId,
        words: wordsOf(`${title} ${text}`),
      }));
      const having = (word: string) => sections.filter(({ words }) => words.includes(word)).length;
      const asked = [...new Set(wordsOf(query))].map((word) => ({
        word,
        weight: weightOf(sections.length, having(word)),
      }));
      const ranked = sections.map(({ nodeId, words }) => ({
        nodeId,
        rank: asked.reduce((sum, { word, weight }) => (words.includes(word) ? sum + weight : sum), 0),
      }));
      return best(ranked, limit);
    },
    findSpans: async (key, nodeIds, query, limit) => {
      const language = entryOf(key)?.facts.language ?? 'und';
      const asked = [...new Set(wordsOf(query))];
      const phrase = ` ${wordsOf(query).join(' ')} `;
      const spans = sectionsOf(key)
        .filter(({ nodeId }) => nodeIds.includes(nodeId))
        .flatMap(({ nodeId, text }) =>
          piecesOf(text, language).map((piece) => ({ nodeId, ...piece, rank: 0 })),
        );
      const ranked = spans.map((span) => {
        const words = wordsOf(span.text);
        const share = asked.filter((word) => words.includes(word)).length / Math.max(1, asked.length);
        return { ...span, rank: share + (share > 0 && ` ${words.join(' ')} `.includes(phrase) ? 1 : 0) };
      });
      return best(ranked, limit);
    },
  };
}

function importInto(policies: Map<string, Versions>, policy: PolicyInput, clock: Clock): PolicyImport {
  const { policyId, sections, sourceDigest, ...facts } = policy;
  const versions = policies.get(policyId) ?? { current: 0, entries: [] };
  const digest = digestOfPolicy(policy);
  const known = versions.entries.find((entry) => entry.digest === digest);
  const version = known?.facts.version ?? versions.entries.length + 1;
  if (known !== undefined) {
    known.sourceDigest = sourceDigest;
    known.facts.source = facts.source;
  } else {
    const importedAt = new Date(clock.now()).toISOString();
    versions.entries.push({
      facts: { ...facts, policyId, version, sections: sections.length, importedAt },
      digest,
      sourceDigest,
      sections: sections.map((section) => ({
        ...section,
        summaryBy: null,
        characters: Array.from(section.text).length,
      })),
    });
  }
  const before = versions.current;
  policies.set(policyId, { ...versions, current: version });
  if (before === version) return { policyId, version, outcome: 'unchanged' };
  return { policyId, version, outcome: known === undefined ? 'new' : 'restored' };
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
const weightOf = (sections: number, having: number): number =>
  having === 0 ? 0 : Math.log(1 + sections / having);

function best<T extends { rank: number }>(ranked: T[], limit: number): T[] {
  return ranked
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, limit);
}
