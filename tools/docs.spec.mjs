import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import asyncApi from '@asyncapi/specs';
import Ajv from 'ajv';
import { parse } from 'yaml';
import { resolveConfig } from 'vitepress';
import { anchorOf } from '../docs/.vitepress/anchor.mjs';
import { folders, linkOf, linksOf, pagesOf, sideBar } from '../docs/.vitepress/pages.mjs';
import { root } from './root.mjs';

const DOCS = readdirSync(join(root, 'docs'), { recursive: true })
  .filter((file) => file.endsWith('.md') && !file.includes('.vitepress'))
  .map((file) => join('docs', file));
const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'libs/README.md',
  'k8s/README.md',
  'apps/bench/README.md',
  'apps/bench/measurements.md',
  ...DOCS,
];
/** Files that link to pages. */
const LINKING = [...PAGES, 'llms.txt'];
const DECISIONS = DOCS.filter((file) => /decisions\/\d/.test(file));

function read(page) {
  return readFileSync(join(root, page), 'utf8');
}

/** Returns the anchors that GitHub generates for a page's headings. */
function anchorsOf(page) {
  const headings = read(page).matchAll(/^#{1,6} (.+)$/gm);
  return [...headings].map(([, heading]) => anchorOf(heading));
}

describe('documentation', () => {
  it.each(PAGES.filter((page) => !DECISIONS.includes(page)))(
    '%s: every source file that it names exists',
    (page) => {
      const paths = [...read(page).matchAll(/`((?:apps|libs|tools|config|samples)\/[\w./-]+)`/g)].map(
        ([, path]) => path,
      );
      expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
    },
  );

  it.each(LINKING)('%s: every relative link leads to a file', (page) => {
    const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    const dead = links.filter(([, path, anchor]) => {
      const file = path === '' ? page : normalize(join(dirname(page), path));
      if (!existsSync(join(root, file))) return true;
      return anchor !== undefined && file.endsWith('.md') && !anchorsOf(file).includes(anchor);
    });
    expect(dead.map(([link]) => link)).toEqual([]);
  });

  it('the side bar has every page of the site, each once', async () => {
    const { pages } = await resolveConfig(join(root, 'docs'), 'build', 'production');
    const linked = sideBar().flatMap(({ items }) => items.map(({ link }) => link));
    expect(linked.toSorted()).toEqual(pages.map(linkOf).toSorted());
  });

  it.each(folders().filter((folder) => folder !== 'results'))(
    'docs/%s begins with a page that links to all others of the folder',
    (folder) => {
      const first = `docs/${folder}/README.md`;
      expect(pagesOf(folder, first).filter((page) => !linksOf(first).includes(page))).toEqual([]);
    },
  );

  it.each(DECISIONS)('%s is titled by its number', (page) => {
    expect(read(page)).toMatch(new RegExp(`^# ${page.split('/').pop().slice(0, 4)}\\. \\S`));
  });

  it.each([
    ['guides', /^docs\/(?:README\.md|(?:use|operate|integrate|extend|tutorials)\/)/, 35_000],
    ['decisions', /^docs\/decisions\//, 20_000],
  ])('%s: people read at most so many words', (_what, place, most) => {
    const words = DOCS.filter((page) => place.test(page)).flatMap((page) =>
      read(page)
        .split(/\s+/)
        .filter((word) => /[\p{L}\p{N}]/u.test(word)),
    );
    expect(words.length).toBeLessThanOrEqual(most);
  });

  it('README has at most 140 lines', () => {
    expect(read('README.md').split('\n').length - 1).toBeLessThanOrEqual(140);
  });

  it('the AsyncAPI document is valid, and its examples and references fit the API documents', () => {
    const document = parse(read('docs/asyncapi.yaml'));
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    const valid = ajv.validate(asyncApi.schemasWithoutId['3.0.0'], document);
    expect(valid ? [] : ajv.errors.map(({ instancePath, message }) => `${instancePath} ${message}`)).toEqual(
      [],
    );
    const references = [...read('docs/asyncapi.yaml').matchAll(/\$ref: '(?:\.\/([\w.-]+))?#\/([^']+)'/g)];
    expect(references.length).toBeGreaterThan(5);
    const lost = references.filter(([, file, path]) => {
      const target = file === undefined ? document : JSON.parse(read(`docs/${file}`));
      return path.split('/').reduce((value, key) => value?.[key], target) === undefined;
    });
    expect(lost.map(([reference]) => reference)).toEqual([]);
  });

  it('the walk names every stage with the service that hosts it', () => {
    const declared = read('libs/pipeline/src/stages.ts').matchAll(/name: '(\w+)',\n\s+app: '([\w-]+)'/g);
    const rows = [...declared].map(([, stage, service]) => `| ${stage} | ${service} |`);
    expect(rows).toHaveLength(6);
    const walk = read('docs/extend/walk.md');
    expect(rows.filter((row) => !walk.includes(row))).toEqual([]);
  });
});
