import { readdirSync, readFileSync } from 'node:fs';
import { z } from '@casefile/contracts';
import type { Command } from 'commander';
import { commandTree } from './program.js';
import { memoryTerminal } from './testing/memory-terminal.js';

const root = new URL('../../../', import.meta.url);
const docs = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
  .filter((name) => /^(?:use|integrate|operate)\/|^[\w-]+\.md$/.test(name) && name.endsWith('.md'))
  .map((name) => `docs/${name}`);
const pages = ['README.md', ...docs];

/** Returns the command lines of a page: those of shell blocks, and `casefile ...` in running text. */
function commandLines(page: string): string[] {
  const text = readFileSync(new URL(page, root), 'utf8');
  const blocks = [...text.matchAll(/^```(?:sh|shell)\n([\s\S]*?)^```/gm)].map(([, block = '']) => block);
  const inline = [...text.matchAll(/`((?:npx )?casefile [^`]+)`/g)].map(([, line = '']) => line);
  return [...blocks.flatMap((block) => block.replaceAll(/\\\n/g, ' ').split('\n')), ...inline].map((line) =>
    line.replace(/\s+#.*$/, '').trim(),
  );
}

function parsed(line: string): void {
  const words = [...line.matchAll(/'[^']*'|"[^"]*"|\S+/g)].map(([word]) =>
    word.replace(/^(['"])(.*)\1$/, '$2'),
  );
  const from = words[0] === 'npx' ? 2 : 1;
  const program = commandTree(memoryTerminal(), false, () => undefined);
  const withoutAction = (command: Command): void => {
    if (command.commands.length === 0) command.action(() => undefined);
    command.commands.forEach(withoutAction);
  };
  withoutAction(program);
  program.parse(words.slice(from), { from: 'user' });
}

describe('commands in the documentation', () => {
  const commands = pages.flatMap((page) =>
    commandLines(page)
      .filter((line) => /^(?:npx )?casefile /.test(line))
      .map((line) => ({ page, line })),
  );

  it('are found', () => {
    expect(commands.length).toBeGreaterThan(30);
  });

  it.each(commands)('$page: $line', ({ line }) => {
    expect(() => parsed(line)).not.toThrow();
  });

  it('name scripts of package.json', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(new URL('package.json', root), 'utf8')));
    const named = pages.flatMap((page) =>
      [...readFileSync(new URL(page, root), 'utf8').matchAll(/npm run ([\w:-]+)/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it('name paths of the API documents', () => {
    const paths = ['docs/openapi.json', 'docs/openapi-ingest.json'].flatMap((file) => {
      const document = z
        .object({ paths: z.record(z.string(), z.unknown()), servers: z.array(z.object({ url: z.string() })) })
        .partial({ servers: true })
        .parse(JSON.parse(readFileSync(new URL(file, root), 'utf8')));
      const base = document.servers?.[0]?.url.replace(/\/$/, '') ?? '';
      return Object.keys(document.paths).map((path) => base + path);
    });
    const known = paths.map((path) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`));
    const named = pages.flatMap((page) =>
      [
        ...readFileSync(new URL(page, root), 'utf8').matchAll(
          /(?:localhost:300\d|(?:GET|POST) )(\/(?:v1|api\/v1)\/(?:[\w/-]|\{\w+\})+)/g,
        ),
      ].map(([, path = '']) => path),
    );
    expect(named.length).toBeGreaterThan(5);
    const whole = named.filter((path) => !path.endsWith('/'));
    expect(whole.filter((path) => !known.some((one) => one.test(path)))).toEqual([]);
  });
});
