// `npm run embed:patterns`: computes the vectors of the scam patterns in samples with the offline encoder,
// and writes their file. Run it after a change of samples/scam-patterns.json; a test fails until then.
import { readFile, writeFile } from 'node:fs/promises';
import { build } from './build.mjs';
import { install } from './install.mjs';

const SAMPLES = new URL('../samples/', import.meta.url);

await install();
await build();
const [{ parseScamPatterns, writeKnownVectors }, { createEmbedder }, { systemClock }] = await Promise.all(
  ['knowledge', 'llm', 'runtime'].map((name) => import(`../libs/${name}/dist/index.js`)),
);
const text = await readFile(new URL('scam-patterns.json', SAMPLES), 'utf8');
const embedder = createEmbedder({}, systemClock);
const texts = (await parseScamPatterns(text, 'scam-patterns.json')).flatMap((pattern) =>
  embedder.languages.flatMap((language) => pattern.texts[language] ?? []),
);
const vectors = await embedder.embed(texts, new AbortController().signal);
const entries = texts.map((of, i) => ({ text: of, vector: vectors[i] }));
await writeFile(new URL('scam-patterns.vectors.json', SAMPLES), writeKnownVectors(embedder.model, entries));
console.log(`${entries.length} vectors of ${embedder.model}`);
