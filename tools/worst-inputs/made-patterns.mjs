// Prints the regular expressions that the code builds from texts while it loads and while every parser runs
// once per attack, as JSON by source file: `[{ source, flags }]`. Runs as a separate process, because most
// are built at load time.
import { register } from 'node:module';
import { patternsIn, sourceFiles, watchBuiltPatterns } from './patterns.mjs';

register('../jest/source-hooks.mjs', import.meta.url);
const patternsByFile = watchBuiltPatterns();
const { commonAttacks } = await import('./common-attacks.mjs');
const { load, parsers } = await import('./parsers.mjs');
for (const { run } of await parsers()) for (const { make } of commonAttacks()) await run(make(100));
for (const path of sourceFiles()) if (patternsIn(path).sites.length > 0) await load(path);
const byFile = [...patternsByFile].map(([path, patterns]) => [
  path,
  patterns.map(({ source, flags }) => ({ source, flags })),
]);
process.stdout.write(JSON.stringify(Object.fromEntries(byFile)), () => process.exit());
