import type { Embedder } from '@casefile/contracts';
import { silentPorts } from '@casefile/knowledge/testing';

/** Embeds nothing: none of the inputs is a scam pattern. */
export const silentEmbedder: Embedder = silentPorts().embedder;
