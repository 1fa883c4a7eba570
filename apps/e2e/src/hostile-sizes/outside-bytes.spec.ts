import { readdirSync, readFileSync } from 'node:fs';
import { hostileInputs } from './inputs.js';
import { ownBytes, outsidePlaces } from './outside-bytes.js';

const ROOT = new URL('../../../../', import.meta.url);
const PARSES = /\b(?:JSON\.parse|parseYaml|parseDocument|parseAllDocuments)\(/;
/** Code that runs on a developer's machine or in a browser, and code that is generated. */
const ELSEWHERE =
  /^apps\/(?:bench|dashboard|e2e|llm-simulator)\/|\/(?:testing|generated|dist|node_modules)\//;

describe('S4-14 places that parse bytes from outside', () => {
  it('are all declared: each file that parses is in a place, or in the list of own bytes', () => {
    const declared = new Set([...outsidePlaces.flatMap(({ readers }) => readers), ...ownBytes]);
    const parsing = sources().filter((path) => PARSES.test(read(path)));
    expect(parsing.length).toBeGreaterThan(40);
    expect(parsing.filter((path) => !declared.has(path))).toEqual([]);
    for (const path of declared) expect(() => read(path)).not.toThrow();
  });

  it('are each measured by an input, and no input belongs to no place', () => {
    const measured = outsidePlaces.map(({ inputs }) =>
      hostileInputs.filter(({ name }) => fits(name, inputs)),
    );
    expect(measured.filter((inputs) => inputs.length === 0)).toEqual([]);
    const all = outsidePlaces.flatMap(({ inputs }) => inputs);
    expect(hostileInputs.filter(({ name }) => !fits(name, all)).map(({ name }) => name)).toEqual([]);
  });

  it('are in the documentation with their bounds', () => {
    const page = read('docs/reference/limits.md');
    for (const { what, where, size, time, memory } of outsidePlaces)
      expect(page).toContain(`| ${what} | ${where} | ${size} | ${time} | ${memory} |`);
  });
});

const read = (path: string): string => readFileSync(new URL(path, ROOT), 'utf8');
const fits = (name: string, beginnings: readonly string[]): boolean =>
  beginnings.some((one) => name.startsWith(one));

function sources(): string[] {
  return ['libs', 'apps'].flatMap((top) =>
    readdirSync(new URL(top, ROOT), { recursive: true, encoding: 'utf8' })
      .map((path) => `${top}/${path}`)
      .filter((path) => path.includes('/src/') && path.endsWith('.ts'))
      .filter((path) => !/\.(?:spec|suite)\.ts$/.test(path) && !ELSEWHERE.test(path)),
  );
}
