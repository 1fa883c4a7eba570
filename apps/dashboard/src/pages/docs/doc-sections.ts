/** Sections of the documentation in their order: the folder below `docs`, and the title. */
export const SECTIONS: readonly (readonly [folder: string, title: string])[] = [
  ['tutorials', 'Tutorials'],
  ['use', 'Use'],
  ['operate', 'Operate'],
  ['integrate', 'Integrate'],
  ['extend', 'Extend'],
  ['reference', 'Reference'],
  ['decisions', 'Decisions'],
  ['results', 'Results'],
];

/** A page in the side list. `href`: its address in the console. */
export interface ListedPage {
  href: string;
  title: string;
}

/** Returns the file of a page, from the folder `docs`. The page of a section is the README of its folder. */
export function fileOf(page: string): string {
  if (page === '') return 'README.md';
  return SECTIONS.some(([folder]) => folder === page) ? `${page}/README.md` : `${page}.md`;
}

/** Returns the folder of a page; null: the page is in no section. */
export function sectionOf(page: string): string | null {
  const [folder = ''] = page.split('/');
  return SECTIONS.some(([name]) => name === folder) ? folder : null;
}

/**
 * Returns the pages of a section to which its README links, each once, in the order of the text.
 * @param text The README, in Markdown. The title of a page is the text of its link in a list, if a list has one, up to its
 *   first colon.
 */
export function pagesIn(folder: string, text: string): ListedPage[] {
  const titles = new Map<string, { title: string; isListed: boolean }>();
  for (const line of text.split('\n'))
    for (const [, label = '', name = ''] of line.matchAll(/\[([^\]]{1,200})\]\(([\w-]{1,100})\.md\)/g)) {
      const isListed = /^(?:-|\d+\.) /.test(line);
      const known = titles.get(name);
      if (name === 'README' || known?.isListed === true || (known !== undefined && !isListed)) continue;
      titles.set(name, { title: titleFrom(label), isListed });
    }
  return [...titles].map(([name, { title }]) => ({ href: `/docs/${folder}/${name}`, title }));
}

function titleFrom(label: string): string {
  const [short = ''] = label.replaceAll('`', '').split(':', 1);
  return short.charAt(0).toUpperCase() + short.slice(1);
}
