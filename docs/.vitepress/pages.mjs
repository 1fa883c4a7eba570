import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Pages outside of docs/ that are part of the site, each with its section of the side bar. */
export const OTHER_PAGES = {
  'CONTRIBUTING.md': 'extend',
  'libs/README.md': 'extend',
  'k8s/README.md': 'operate',
  'CHANGELOG.md': 'reference',
};

/** Sections that show their pages only after a click, because they have many. */
const COLLAPSED = ['decisions', 'results'];

/** Returns the place on the site of each README.md: the index of its folder, unless the folder has an index.md. */
export function rewrites() {
  const readmes = ['docs', ...folders().map((folder) => `docs/${folder}`), 'libs', 'k8s']
    .filter((folder) => !existsSync(join(root, folder, 'index.md')))
    .map((folder) => [`${folder}/README.md`, `${folder}/index.md`]);
  return { 'README.md': 'index.md', ...Object.fromEntries(readmes) };
}

/** Returns the address of a page on the site. */
export function linkOf(page) {
  return `/${rewrites()[page] ?? page}`.replace(/(?<=\/)index\.md$|\.md$/, '');
}

/**
 * Returns the side bar: README, then one section per folder of docs/ with a README.md. The front matter of this file gives the
 * section its `title` and `order`. Its pages follow in the order in which it first links to them, then all others by name.
 */
export function sideBar() {
  const sections = folders()
    .map((folder) => ({ folder, first: `docs/${folder}/README.md` }))
    .map(({ folder, first }) => ({ folder, first, matter: frontMatter(first) }))
    .toSorted((a, b) => Number(a.matter.order) - Number(b.matter.order));
  return [
    {
      text: 'Casefile',
      items: ['README.md', 'docs/README.md'].map((page) => ({ text: titleOf(page), link: linkOf(page) })),
    },
    ...sections.map(({ folder, first, matter }) => ({
      text: matter.title,
      collapsed: COLLAPSED.includes(folder),
      items: [first, ...pagesOf(folder, first)].map((page) => ({
        text: page === first ? 'Start here' : titleOf(page),
        link: linkOf(page),
      })),
    })),
  ];
}

/** Returns every page of the section, except the first, in the order of the side bar. */
export function pagesOf(folder, first) {
  const inFolder = markdownIn(`docs/${folder}`).map((name) => `docs/${folder}/${name}`);
  const others = Object.keys(OTHER_PAGES).filter((page) => OTHER_PAGES[page] === folder);
  const linked = linksOf(first);
  const place = (page) => (linked.includes(page) ? linked.indexOf(page) : linked.length);
  return [...inFolder, ...others]
    .filter((page) => page !== first)
    .toSorted((a, b) => place(a) - place(b) || a.localeCompare(b));
}

/** Returns the pages that a page links to, each once, in the order of the text. */
export function linksOf(page) {
  const links = [...read(page).matchAll(/\]\((?!https?:)([^)#\s]+\.md)(?:#[^)\s]+)?\)/g)];
  return [...new Set(links.map(([, path]) => normalize(join(dirname(page), path))))];
}

/** Returns the folders of docs/ that are sections. */
export function folders() {
  return readdirSync(join(root, 'docs')).filter((name) => existsSync(join(root, 'docs', name, 'README.md')));
}

function markdownIn(folder) {
  return readdirSync(join(root, folder), { recursive: true }).filter((name) => name.endsWith('.md'));
}

/** Returns the keys of a page's front matter, a block of `key: value` lines between `---`. */
function frontMatter(page) {
  const [, block = ''] = /^---\n([^]*?)\n---\n/.exec(read(page)) ?? [];
  return Object.fromEntries(block.split('\n').map((line) => line.split(/:\s+/, 2)));
}

/** Returns the `title` of the front matter, or the first heading up to its first colon. */
function titleOf(page) {
  const [, heading = page] = /^# (.+)$/m.exec(read(page)) ?? [];
  return frontMatter(page).title ?? heading.replace(/:.*$/, '').replaceAll('`', '');
}

function read(page) {
  return readFileSync(join(root, page), 'utf8');
}
