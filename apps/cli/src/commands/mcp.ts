import { userInfo } from 'node:os';
import { CasefileError, type EntryChange, type ServerTool, type ToolServer } from '@casefile/contracts';
import type { Command } from 'commander';
import { connectConsole, consoleOptions, print, type ConsoleOptions } from './options.js';
import type { CommandContext } from '../command-context.js';
import { oneLine } from '@casefile/kit/output/escape';

/** `casefile mcp list|approve|check`: tool servers, and which of their tools may be called. */
export function addMcp(program: Command, { terminal, end }: CommandContext): void {
  const mcp = program.command('mcp').description('servers of tools (MCP, Model Context Protocol)');
  const list = mcp
    .command('list')
    .description('list the servers, their tools, and the tools that need approval');
  consoleOptions(list).action(async (options: ConsoleOptions) => {
    const { servers } = await (await connectConsole(options)).get('/tools');
    print(terminal, options, { servers }, () =>
      servers.length === 0
        ? ['No MCP server is configured (settings section mcp).']
        : servers.flatMap(toolServerLines),
    );
    end(0);
  });
  const approve = mcp
    .command('approve')
    .description('show how tools differ from their approved version, and approve the current version')
    .argument('<server>', 'name in the settings')
    .argument('[tools...]', 'names of tools. Default: all that need approval')
    .option('--dry-run', 'only show the differences');
  consoleOptions(approve).action(
    async (server: string, names: string[], options: ConsoleOptions & { dryRun?: boolean }) => {
      const client = await connectConsole(options);
      const waiting = toolsAwaitingApproval((await client.get('/tools')).servers, server, names);
      if (!options.json) for (const tool of waiting) for (const line of differences(tool)) terminal.out(line);
      if (waiting.length === 0 || options.dryRun) {
        print(terminal, options, { waiting }, () => [
          waiting.length === 0 ? 'No tool needs approval.' : 'Nothing was approved.',
        ]);
        return end(0);
      }
      const tools = waiting.map(({ tool, hash }) => ({ tool, hash: hash ?? '' }));
      const body = { tools, by: userInfo().username };
      const answer = await client.post('/tools/{server}/approve', { params: { server }, body });
      print(terminal, options, answer, () => [
        ...answer.approved.map((tool) => `approved: ${oneLine(tool)}`),
        ...answer.refused.map((tool) => `not approved, it has changed again: ${oneLine(tool)}`),
      ]);
      end(answer.refused.length === 0 ? 0 : 1);
    },
  );
  mcp
    .command('check')
    .description(
      'connect to the configured servers from this process, and print their tools with hashes for `pins`',
    )
    .argument('[servers...]', 'names in the settings. Default: all')
    .option('--json', 'print it as JSON')
    .action(async (names: string[], options: Pick<ConsoleOptions, 'json'>) => {
      const { checkMcpServers, loadConfig } = await import('@casefile/runtime');
      const checked = await checkMcpServers(await loadConfig(), names);
      print(terminal, options, { servers: checked }, () =>
        checked.flatMap(({ server, problem, tools }) => [
          `${oneLine(server)}  ${problem === null ? `answers, ${tools.length} tools` : `does not answer: ${oneLine(problem)}`}`,
          ...tools.map(({ tool, hash, allowed, pinned }) =>
            oneLine(
              `  ${allowed ? 'allowed' : '-      '}  ${pinned ? 'pinned' : '-     '}  ${hash}  ${tool}`,
            ),
          ),
        ]),
      );
      end(checked.every(({ problem }) => problem === null) ? 0 : 1);
    });
}

function toolServerLines({ server, state, why, tools }: ToolServer): string[] {
  return [
    oneLine(`${server}  ${state}${why === null ? '' : `: ${why}`}`),
    ...tools.map(({ name, state: standing, required, calls, failed }) =>
      oneLine(
        `  ${standing.padEnd(8)}  ${name}${required ? '  required' : ''}  ${calls} calls, ${failed} failed`,
      ),
    ),
  ];
}

function toolsAwaitingApproval(
  servers: readonly ToolServer[],
  name: string,
  toolNames: readonly string[],
): ServerTool[] {
  const toolServer = servers.find(({ server }) => server === name);
  if (toolServer === undefined) {
    const serverNames = servers.map(({ server }) => server).join(', ') || '(none)';
    throw new CasefileError(
      'not_found',
      `there is no MCP server "${name}"; the configured servers are: ${serverNames}`,
    );
  }
  const unknown = toolNames.filter(
    (tool) => !toolServer.tools.some((one) => one.tool === tool || one.name === tool),
  );
  if (unknown.length > 0)
    throw new CasefileError(
      'not_found',
      `${name} is not allowed the tool ${unknown.join(', ')}: see casefile mcp list`,
    );
  return toolServer.tools.filter(({ tool, name: wire, state }) => {
    const isRequested = toolNames.length === 0 || toolNames.includes(tool) || toolNames.includes(wire);
    return isRequested && (state === 'new' || state === 'changed');
  });
}

function differences({ name, state, changes }: ServerTool): string[] {
  const valueText = (value: EntryChange['before']): string => oneLine(JSON.stringify(value)).slice(0, 500);
  return [
    oneLine(`${name} (${state})`),
    ...changes.flatMap(({ path, before, after }) => [
      `  ${oneLine(path)}`,
      ...(before === null ? [] : [`    - ${valueText(before)}`]),
      ...(after === null ? [] : [`    + ${valueText(after)}`]),
    ]),
  ];
}
