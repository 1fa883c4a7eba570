import { openKnowledge, type Knowledge } from '@casefile/knowledge';
import { silentPorts } from '@casefile/knowledge/testing';
import { knowledgePorts } from '@casefile/runtime';
import type { Database } from '@casefile/store';

/** A database that finds and keeps nothing. Hostile input is refused before it is written. */
const EMPTY = {
  rows: async () => [],
  transaction: (work: (tx: Database) => unknown) => work(EMPTY),
} as unknown as Database;

/** Returns knowledge bases that hold nothing, with the parsers and readers of a service. */
export const emptyKnowledge = (runbooks?: Parameters<typeof knowledgePorts>[1]): Knowledge =>
  openKnowledge(EMPTY, knowledgePorts(silentPorts().embedder, runbooks));
