import { inProcessRunner } from '@casefile/contracts/testing';
import type { KnowledgePorts } from '../knowledge.js';

/** Ports of knowledge bases without embeddings and language detection. */
export function silentPorts(): KnowledgePorts {
  return {
    embedder: {
      model: 'none',
      locality: 'local',
      languages: [],
      weights: { vector: 0, words: 1 },
      embed: async (texts) => texts.map(() => [1]),
    },
    runner: inProcessRunner,
    mask: async (value) => ({ value }),
    detectLanguage: async () => ({ code: 'und', certainty: 0 }),
  };
}
