import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { Embedder, ScamPattern } from '@casefile/contracts';
import { createEmbedder } from '@casefile/llm';
import { playbookNamed } from '@casefile/pipeline';
import { systemClock } from '@casefile/runtime';
import { createMemoryStore, createPatternSearch } from '@casefile/store';
import { percentile, type Row } from './report.js';

interface Message {
  text: string;
  language: string;
  category: string | null;
}

const SAMPLES = new URL('../../../../samples/', import.meta.url);
const PATTERNS = 10_000;
const DIMENSION = 512;
const QUERIES = 300;
const signal = new AbortController().signal;
const sample = (name: string) => readFileSync(new URL(name, SAMPLES), 'utf8');

/** What screening costs besides its model, and how often the right pattern is found. */
export async function screening(): Promise<Row[]> {
  const messages = sample('eval/messages.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Message);
  return [await routing(messages), await retrieval(messages), ...(await hits(messages))];
}

async function routing(messages: Message[]): Promise<Row> {
  const { route, options } = playbookNamed('message-screening');
  if (route === undefined) throw new Error('the playbook does not route');
  for (const { text } of messages) await route(text, options);
  const from = performance.now();
  for (const { text } of messages) await route(text, options);
  const ms = (performance.now() - from) / messages.length;
  return { name: 'routing, a message', figure: `${ms.toFixed(3)} ms`, ratio: ms / 1, wanted: '<= 1 ms' };
}

// Vectors are drawn, words are those of the messages: what is measured is looking up, not embedding.
async function retrieval(messages: Message[]): Promise<Row> {
  const vector = () => Array.from({ length: DIMENSION }, () => Math.random() - 0.5);
  const embedder: Embedder = {
    ...{ model: 'drawn', locality: 'local', languages: null, weights: { vector: 0.85, words: 0.15 } },
    embed: async (texts) => texts.map(vector),
  };
  const store = createMemoryStore({ clock: systemClock });
  await store.importPatterns(
    Array.from({ length: PATTERNS }, (_, i) =>
      aPattern(`p${i}`, `${messages[i % messages.length]?.text.slice(0, 300) ?? ''} ${i}`),
    ),
  );
  const search = createPatternSearch({ store, embedder });
  const ask = (i: number) => {
    const { text, language } = messages[i % messages.length] as Message;
    return search.search({ text: text.slice(0, 2_000), language, limit: 5 }, signal);
  };
  await ask(0);
  const took: number[] = [];
  for (let i = 0; i < QUERIES; i += 1) {
    const from = performance.now();
    await ask(i);
    took.push(performance.now() - from);
  }
  const ms = percentile(took, 95);
  return {
    ...{ name: 'retrieval over 10,000 patterns in memory, p95', figure: `${ms.toFixed(1)} ms` },
    ...{ ratio: ms / 50, wanted: '<= 50 ms' },
  };
}

function aPattern(id: string, text: string): ScamPattern {
  const rest = { category: 'c', scamType: 's', redFlags: [], source: 'bench', version: 1 };
  return { id, title: id, texts: { en: text }, ...rest };
}

/** With the offline encoder and the starting set, over labelled scams that were written apart from it. */
async function hits(messages: Message[]): Promise<Row[]> {
  const store = createMemoryStore({ clock: systemClock });
  await store.importPatterns(JSON.parse(sample('scam-patterns.json')) as ScamPattern[]);
  const same = JSON.parse(sample('eval/categories.json')) as Record<string, string[]>;
  const search = createPatternSearch({ store, embedder: createEmbedder({}, systemClock) });
  const rows: Row[] = [];
  for (const language of ['en', 'hi', 'hi-Latn']) {
    const scams = messages.filter((one) => one.language === language && one.category !== null);
    const ranks: number[] = [];
    for (const { text, category } of scams) {
      const { matches } = await search.search({ text: text.slice(0, 2_000), language, limit: 5 }, signal);
      const names = [category ?? '', ...(same[category ?? ''] ?? [])];
      ranks.push(matches.findIndex(({ pattern }) => names.includes(pattern.category)));
    }
    const at = (k: number) =>
      (ranks.filter((rank) => rank >= 0 && rank < k).length / scams.length).toFixed(2);
    const figure = `at 1 ${at(1)}, at 3 ${at(3)} of ${scams.length} scams`;
    rows.push({ name: `retrieval hits, ${language}, offline encoder`, figure, ratio: null, wanted: '' });
  }
  return rows;
}
