import { userInfo } from 'node:os';
import { CasefileError, type EntryChange, type ServerTool, type ToolServer } from '@casefile/contracts';
import type { Command } from 'commander';
import { addressesOf, httpAddress } from './options.js';
import { ConsoleClient } from '../client/console-client.js';
import type { CommandContext } from '../command-context.js';
import { oneLine } from '../output/escape.js';

interface Options {
  console?: string;
  json?: boolean;
}

const clientOf = async (options: Options): Promise<ConsoleClient> =>
  new ConsoleClient(options.console ?? (await addressesOf()).console);

/** `casefile mcp list|approve|check`: servers of tools and what of theirs may be called. S2-42 */
export function addMcp(program: Command, { terminal, end }: CommandContext): void {
  const mcp = program.command('mcp').description('servers of tools (Model Context Protocol)');
  mcp
    .command('list')
    .description('list the servers, their tools, and what waits to be approved')
    .option('--console <url>', 'address of the console', httpAddress)
    .option('--json', 'print what the console answers')
    .action(async (options: Options) => {
      const { servers } = await (await clientOf(options)).listTools();
      if (options.json) terminal.out(JSON.stringify({ servers }));
      else if (servers.length === 0)
        terminal.out('No server of tools is configured (section mcp of the settings).');
      else for (const server of servers) for (const line of linesOf(server)) terminal.out(line);
      end(0);
    });
  mcp
    .command('approve')
    .description('show how entries differ from what was approved, and approve them as they are now')
    .argument('<server>', 'its name in the settings')
    .argument('[tools...]', 'names of tools; none: all that wait')
    .option('--dry-run', 'show the differences alone')
    .option('--console <url>', 'address of the console', httpAddress)
    .option('--json', 'print what the console answers')
    .action(async (name: string, tools: string[], options: Options & { dryRun?: boolean }) => {
      const client = await clientOf(options);
      const waiting = waitingOf((await client.listTools()).servers, name, tools);
      if (!options.json) for (const tool of waiting) for (const line of differences(tool)) terminal.out(line);
      if (waiting.length === 0 || options.dryRun) {
        terminal.out(
          options.json
            ? JSON.stringify({ waiting })
            : waiting.length === 0
              ? 'Nothing waits to be approved.'
              : 'Nothing was approved.',
        );
        return end(0);
      }
      const asked = waiting.map(({ tool, hash }) => ({ tool, hash: hash ?? '' }));
      const answer = await client.approveTools(name, { tools: asked, by: userInfo().username });
      if (options.json) terminal.out(JSON.stringify(answer));
      else {
        for (const tool of answer.approved) terminal.out(`approved: ${oneLine(tool)}`);
        for (const tool of answer.refused)
          terminal.out(`not approved, it has changed again: ${oneLine(tool)}`);
      }
      end(answer.refused.length === 0 ? 0 : 1);
    });
  mcp
    .command('check')
    .description(
      'connect to the configured servers from here, and print what they list with hashes for `pins`',
    )
    .argument('[servers...]', 'names in the settings; none: all')
    .option('--json', 'print it as JSON')
    .action(async (names: string[], options: Options) => {
      const { checkMcpServers, readConfig } = await import('@casefile/runtime');
      const checked = await checkMcpServers(readConfig(), names);
      if (options.json) terminal.out(JSON.stringify({ servers: checked }));
      else
        for (const { server, problem, tools } of checked) {
          terminal.out(
            `${oneLine(server)}  ${problem === null ? `answers, ${tools.length} tools` : `does not answer: ${oneLine(problem)}`}`,
          );
          for (const { tool, hash, allowed, pinned } of tools)
            terminal.out(
              oneLine(
                `  ${allowed ? 'allowed' : '-      '}  ${pinned ? 'pinned' : '-     '}  ${hash}  ${tool}`,
              ),
            );
        }
      end(checked.every(({ problem }) => problem === null) ? 0 : 1);
    });
}

function linesOf({ server, state, why, tools }: ToolServer): string[] {
  return [
    oneLine(`${server}  ${state}${why === null ? '' : `: ${why}`}`),
    ...tools.map(({ name, state: standing, required, calls, failed }) =>
      oneLine(
        `  ${standing.padEnd(8)}  ${name}${required ? '  required' : ''}  ${calls} calls, ${failed} failed`,
      ),
    ),
  ];
}

function waitingOf(servers: readonly ToolServer[], name: string, wanted: readonly string[]): ServerTool[] {
  const found = servers.find(({ server }) => server === name);
  if (found === undefined) {
    const known = servers.map(({ server }) => server).join(', ') || '(none)';
    throw new CasefileError('not_found', `there is no server of tools "${name}"; there are: ${known}`);
  }
  const unknown = wanted.filter((tool) => !found.tools.some((one) => one.tool === tool || one.name === tool));
  if (unknown.length > 0)
    throw new CasefileError(
      'not_found',
      `${name} is not allowed the tool ${unknown.join(', ')}: see casefile mcp list`,
    );
  return found.tools.filter(({ tool, name: wire, state }) => {
    const isAsked = wanted.length === 0 || wanted.includes(tool) || wanted.includes(wire);
    return isAsked && (state === 'new' || state === 'changed');
  });
}

function differences({ name, state, changes }: ServerTool): string[] {
  const said = (value: EntryChange['before']): string => oneLine(JSON.stringify(value)).slice(0, 500);
  return [
    oneLine(`${name} (${state})`),
    ...changes.flatMap(({ path, before, after }) => [
      `  ${oneLine(path)}`,
      ...(before === null ? [] : [`    - ${said(before)}`]),
      ...(after === null ? [] : [`    + ${said(after)}`]),
    ]),
  ];
}
