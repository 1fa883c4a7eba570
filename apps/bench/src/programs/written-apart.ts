// Measures how similar the labelled messages of samples/eval are to the scam patterns.
import { createEmbedder } from '@casefile/llm';
import { systemClock } from '@casefile/runtime';
import { percentile } from '../ratios/report.js';
import { labelledMessages, scamPatterns } from '@casefile/e2e/testing/screening-samples';
import { nearestByWords } from '../written-apart/nearest-by-words.js';
import { nearestPatterns, type Nearest } from '../written-apart/nearest-patterns.js';
import { sharedRuns } from '../written-apart/shared-runs.js';

// Measures the similarity of the labelled messages to the scam patterns: by runs of words in every language,
// by single words in the languages of the patterns, and by vectors in English, the language of the encoder.
const messages = labelledMessages();
const patterns = scamPatterns();
const byId = new Map(messages.map((message) => [message.id, message]));
const isScam = ({ id }: Nearest) => byId.get(id)?.isScam === true;

for (const length of [3, 4, 5]) {
  const runs = sharedRuns(messages, patterns, length);
  const count = new Set(runs.map(({ message }) => message)).size;
  console.log(`a run of ${length} words in common with a pattern: ${count} of ${messages.length} messages`);
  if (length > 3)
    for (const { message, pattern, words } of runs) console.log(`  ${message} ~ ${pattern}: ${words}`);
}

for (const set of ['seen', 'unseen'] as const) {
  const own = labelledMessages(set);
  const runs = sharedRuns(own, patterns, 5);
  const count = new Set(runs.map(({ message }) => message)).size;
  console.log(`${set}.jsonl, a run of 5 words in common with a pattern: ${count} of ${own.length} messages`);
  for (const { pattern, language } of runs) console.log(`  to be written again: ${pattern} (${language})`);
}

function show(what: string, all: Nearest[]): void {
  const values = all.map(({ similarity }) => similarity);
  const [middle, p95] = [percentile(values, 50), percentile(values, 95)].map((value) => value.toFixed(3));
  const nearest = all.slice(0, 3).map((one) => `${one.similarity.toFixed(3)} ${one.id} ~ ${one.pattern}`);
  console.log(`${what}: ${all.length}, median ${middle}, p95 ${p95}, nearest ${nearest.join(', ')}`);
}

const byWords = nearestByWords(messages, patterns).filter(isScam);
for (const language of ['en', 'hi', 'hi-Latn'])
  show(
    `words in common with the nearest pattern, ${language} scams`,
    byWords.filter(({ id }) => byId.get(id)?.language === language),
  );

const embedder = createEmbedder({}, systemClock);
const english = messages.filter(({ language }) => language === 'en');
const { ofMessages, ofPatterns } = await nearestPatterns(english, patterns, { embedder, language: 'en' });
console.log(`vectors by ${embedder.model}:`);
show('English scams', ofMessages.filter(isScam));
show(
  'English harmless',
  ofMessages.filter((one) => !isScam(one)),
);
show('the patterns among themselves', ofPatterns);
