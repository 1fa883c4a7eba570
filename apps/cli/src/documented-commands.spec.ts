import { readFileSync } from 'node:fs';
import { z } from '@casefile/contracts';
import { CommanderError, type Command } from 'commander';
import { kinds } from '@casefile/shipped/loaded';
import { KindParts } from './kinds.js';
import { commandTree } from './program.js';
import {
  COMMAND_PAGES,
  documentedCommands,
  inlineCommands,
  pageText,
} from './testing/documented-commands.js';
import { memoryTerminal } from './testing/memory-terminal.js';

const root = new URL('../../../', import.meta.url);
const evaluations = (await KindParts.load(kinds)).evaluations();

function parsed(line: string): void {
  const words = [...line.matchAll(/'[^']*'|"[^"]*"|\S+/g)].map(([word]) =>
    word.replace(/^(['"])(.*)\1$/, '$2'),
  );
  const from = words[0] === 'npx' ? 2 : 1;
  const program = commandTree(memoryTerminal(), false, () => undefined, evaluations);
  const withoutAction = (command: Command): void => {
    // A group can have an action of its own. One without it prints its help.
    const { _actionHandler: own } = command as unknown as { _actionHandler: unknown };
    if (command.commands.length === 0 || typeof own === 'function') command.action(() => undefined);
    command.commands.forEach(withoutAction);
  };
  withoutAction(program);
  try {
    program.parse(words.slice(from), { from: 'user' });
  } catch (thrown) {
    // The name of a group of commands, such as `casefile prompts`, prints its help.
    if (!(thrown instanceof CommanderError && thrown.code === 'commander.help')) throw thrown;
  }
}

describe('commands in the documentation', () => {
  const commands = [...documentedCommands(), ...inlineCommands()].filter(({ line }) =>
    /^(?:npx )?casefile /.test(line),
  );

  it('are found', () => {
    expect(commands.length).toBeGreaterThan(50);
  });

  it.each(commands)('$page: $line', ({ line }) => {
    expect(() => parsed(line)).not.toThrow();
  });

  it('name scripts of package.json', () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(readFileSync(new URL('package.json', root), 'utf8')));
    const named = COMMAND_PAGES.flatMap((page) =>
      [...pageText(page).matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name),
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
    const named = COMMAND_PAGES.filter((page) => !page.startsWith('apps/')).flatMap((page) =>
      [
        ...pageText(page).matchAll(
          /(?:localhost:300\d|(?:GET|POST) )(\/(?:v1|api\/v1)\/(?:[\w/-]|\{\w+\})+)/g,
        ),
      ].map(([, path = '']) => path),
    );
    expect(named.length).toBeGreaterThan(5);
    const whole = named.filter((path) => !path.endsWith('/'));
    expect(whole.filter((path) => !known.some((one) => one.test(path)))).toEqual([]);
  });
});
