// Further inputs of parsers next to the attacking text, and the errors that count as a valid result.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../root.mjs';
export const bytes = (text) => new TextEncoder().encode(text);
export const refused = (read) => {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'reasonCode' in error) return error;
    throw error;
  }
};
export const document = (name) => (m, text) => m.parseDocument({ name, bytes: bytes(text) });
export const question = (text) => ({
  turns: [{ role: 'user', text }],
  tools: [],
  mayCallTools: false,
  schema: undefined,
});
export const bounds = {
  maxAlertValues: 50_000,
  maxObjectKeys: 1_000,
  maxAlertBytes: 1e9,
  maxBatchBytes: 1e9,
  maxBatchValues: 1e9,
};
/** An answer to any message. It names a section that a prompt may show. */
export const WRITTEN = {
  players: [],
  messages: [{ sample: '', answers: [{ think: '', answer: { id: '{section 4.1}' } }] }],
  cases: [],
  searches: [],
};
export const section = (text) => ({
  nodeId: '1',
  title: '1 Claims',
  path: [],
  pages: null,
  text,
  cut: false,
});

export const isTest = process.env.JEST_WORKER_ID !== undefined;

/** Loads a module of a library or app by its path in the sources. */
export async function load(path) {
  const file = isTest ? path : path.replace('/src/', '/dist/').replace(/\.ts$/, '.js');
  return import(pathToFileURL(join(root, file)).href);
}
