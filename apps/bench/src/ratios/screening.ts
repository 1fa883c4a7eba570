import { performance } from 'node:perf_hooks';
import type { Brief, Embedder, ScamPattern } from '@casefile/contracts';
import { createPatternSearch, listedPatterns } from '@casefile/knowledge';
import { createEmbedder } from '@casefile/llm';
import { patternLookUp } from '@casefile/message-screening/look-up';
import { routeMessage } from '@casefile/message-screening/route-message';
import { options as screeningOptions } from '@casefile/message-screening/options';
import { systemClock } from '@casefile/runtime';
import {
  labelledMessages,
  sameCategories,
  scamPatterns,
  type LabelledSample,
} from '@casefile/e2e/testing/screening-samples';
import { percentile, type Row } from './report.js';

const PATTERNS = 10_000;
const DIMENSION = 512;
const QUERIES = 300;
const signal = new AbortController().signal;

/** Measures the cost of screening without its model, and how often the right pattern is found. */
export async function screening(): Promise<Row[]> {
  const messages = labelledMessages();
  return [await routing(messages), await retrieval(messages), ...(await hits(messages))];
}

async function routing(messages: LabelledSample[]): Promise<Row> {
  const options = screeningOptions.read({});
  for (const { text } of messages) await routeMessage(text, options);
  const from = performance.now();
  for (const { text } of messages) await routeMessage(text, options);
  const ms = (performance.now() - from) / messages.length;
  return { name: 'routing, a message', figure: `${ms.toFixed(3)} ms`, ratio: ms / 1, wanted: '<= 1 ms' };
}

// Uses random vectors and the words of the messages, because this row measures the search, not the embedding.
async function retrieval(messages: LabelledSample[]): Promise<Row> {
  const vector = () => Array.from({ length: DIMENSION }, () => Math.random() - 0.5);
  const embedder: Embedder = {
    model: 'drawn',
    locality: 'local',
    languages: null,
    weights: { vector: 0.85, words: 0.15 },
    embed: async (texts) => texts.map(vector),
  };
  const patterns = Array.from({ length: PATTERNS }, (_, i) =>
    aPattern(`p${i}`, `${messages[i % messages.length]?.text.slice(0, 300) ?? ''} ${i}`),
  );
  const search = createPatternSearch({ store: listedPatterns(patterns), embedder });
  const ask = (i: number) => {
    const { text, language } = messages[i % messages.length] as LabelledSample;
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
    name: 'retrieval over 10,000 patterns in memory, p95',
    figure: `${ms.toFixed(1)} ms`,
    ratio: ms / 50,
    wanted: '<= 50 ms',
  };
}

function aPattern(id: string, text: string): ScamPattern {
  const rest = { category: 'c', scamType: 's', redFlags: [], source: 'bench', version: 1 };
  return { id, title: id, texts: { en: text }, ...rest };
}

// Returns the query that the playbook makes of a message.
function lookedUp(text: string, language: string): string {
  const brief: Brief = {
    text,
    textSource: 'text',
    language: { code: language, certainty: 1 },
    mode: 'normal',
    entities: {},
    given: [],
    collect: true,
    receivedAt: new Date(0).toISOString(),
    notes: [],
  };
  const [request] = patternLookUp(brief, screeningOptions.read({}));
  return String(request?.args['entityValue']);
}

/**
 * Measures hits with the offline encoder and the starting set, on labelled scams that were written
 * independently of the set.
 */
async function hits(messages: LabelledSample[]): Promise<Row[]> {
  const embedder = createEmbedder({}, systemClock);
  const search = createPatternSearch({ store: listedPatterns(scamPatterns()), embedder });
  const same = sameCategories();
  const rows: Row[] = [];
  for (const language of ['en', 'hi', 'hi-Latn']) {
    const scams = messages.filter((one) => one.language === language && one.category !== null);
    const ranks: number[] = [];
    for (const { text, category } of scams) {
      const { matches } = await search.search({ text: lookedUp(text, language), language, limit: 5 }, signal);
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
