import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { metricInfo } from './metric-info.js';
import * as names from './names.js';

const ROOT = join(fileURLToPath(import.meta.url), '../../../..');
const LITERAL = /['"`]((?:gen_ai|casefile)\.[a-z_]+[a-z_.]*)['"`]/g;

describe('the names that are emitted', () => {
  it('are these: dashboards and alerts of others are built on them', () => {
    const { METRICS, EVENTS, SPANS, ATTRIBUTES, PROVIDER_NAMES } = names;
    const UNITS = Object.fromEntries(Object.values(METRICS).map((name) => [name, metricInfo(name).unit]));
    expect({ METRICS, EVENTS, SPANS, ATTRIBUTES, UNITS, PROVIDER_NAMES }).toMatchSnapshot();
  });

  it('are each said once', () => {
    const all = [...Object.values(names.METRICS), ...Object.values(names.ATTRIBUTES)];
    expect(all.filter((name, i) => all.indexOf(name) !== i)).toEqual([]);
  });

  it('stand in this one file, but for figures that a playbook takes of its drafts: those are here too', async () => {
    const sources = (await Promise.all(['libs', 'apps'].map(sourcesIn))).flat();
    const elsewhere: string[] = [];
    for (const source of sources) {
      const found = [...(await readFile(source, 'utf8')).matchAll(LITERAL)].map(([, name]) => name);
      elsewhere.push(...found.map((name) => `${source.slice(ROOT.length + 1)}: ${name}`));
    }
    const known = new Set<string>(Object.values(names.METRICS));
    const isMeasure = (line: string) => {
      const [source = '', name = ''] = line.split(': ');
      return source.endsWith('/measures.ts') && known.has(name);
    };
    // A setting of transactions in Postgres, which is not emitted.
    const setting = 'libs/store/src/acting.ts: casefile.caller';
    expect(elsewhere.filter((line) => !isMeasure(line) && line !== setting)).toEqual([]);
  });
});

async function sourcesIn(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.spec\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter(
      (path) =>
        !/node_modules|apps\/(e2e|dashboard)\/|\/dist\/|\/testing\/|telemetry\/src\/names\.ts$/.test(path),
    );
}
