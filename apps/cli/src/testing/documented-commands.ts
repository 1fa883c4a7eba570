import { readdirSync, readFileSync } from 'node:fs';

const ROOT = new URL('../../../../', import.meta.url);
const GENERATED = ['docs/results/index.md'];

/** A command of the documentation. */
export interface DocumentedCommand {
  page: string;
  line: string;
  /** Requirement of the command that a test lacks: the mark `needs=...` of its block. null: it is executed. */
  needs: string | null;
}

/** Pages with commands, relative to the repository. Decisions and generated results record what was run once. */
export const COMMAND_PAGES: readonly string[] = [
  'README.md',
  'apps/cli/README.md',
  'apps/llm-simulator/README.md',
  'k8s/README.md',
  ...readdirSync(new URL('docs/', ROOT), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) => name.endsWith('.md') && !/^(?:decisions|\.vitepress|reference)\/|^results\/\d/.test(name),
    )
    .map((name) => `docs/${name}`)
    .filter((page) => !GENERATED.includes(page))
    .sort(),
];

/** Returns the text of a page. */
export function pageText(page: string): string {
  return readFileSync(new URL(page, ROOT), 'utf8');
}

/** Returns the commands in the shell blocks of all pages, in the order of the text. */
export function documentedCommands(): DocumentedCommand[] {
  return COMMAND_PAGES.flatMap((page) =>
    [...pageText(page).matchAll(/^```sh([^\n]*)\n([\s\S]*?)^```/gm)].flatMap(([, mark = '', block = '']) => {
      const [, needs = null] = /\bneeds=([\w-]+)/.exec(mark) ?? [];
      return statements(block).map((line) => ({ page, line, needs }));
    }),
  );
}

/** Returns the `casefile` commands in the running text of all pages. */
export function inlineCommands(): Omit<DocumentedCommand, 'needs'>[] {
  return COMMAND_PAGES.flatMap((page) =>
    [...pageText(page).matchAll(/`((?:npx )?casefile [^`\n]+)`/g)].map(([, line = '']) => ({ page, line })),
  );
}

/** Returns the statements of a shell block. A line with an open quote or a final backslash continues. */
function statements(block: string): string[] {
  const commands: string[] = [];
  let open = '';
  for (const line of block.replaceAll(/\\\n/g, ' ').split('\n')) {
    open = open === '' ? line : `${open}\n${line}`;
    if ((open.match(/'/g)?.length ?? 0) % 2 === 1) continue;
    const statement = open.replace(/\s+#[^'\n]*$/, '').trim();
    if (statement !== '' && !statement.startsWith('#')) commands.push(statement);
    open = '';
  }
  return commands;
}
