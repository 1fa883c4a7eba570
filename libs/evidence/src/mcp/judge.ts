import {
  argumentsSchema,
  CasefileError,
  type FrozenTool,
  type JsonObject,
  type ListedTool,
  type Tool,
} from '@casefile/contracts';
import type { Tool as ServerTool } from '@modelcontextprotocol/client';
import { wireName, type McpServer } from './settings.js';

/**
 * One allowed tool of a server as last listed, if it matches its pin; otherwise the reason why it is
 * withheld.
 */
export type ToolJudgement = { tool: Tool; frozen: FrozenTool } | { out: string };

const MOST_ENTRY_BYTES = 64 * 1024;

/**
 * Checks a server's list against the allowed and approved tools. An entry is withheld if it is new, changed,
 * listed twice, or declares that it changes things. It is not called before a person approves it; some
 * entries are never approved.
 * @param approved Hashes by name of the tool, including those of the configuration.
 */
export function judge(
  server: McpServer,
  listed: readonly ListedTool[],
  approved: (tool: string) => readonly string[],
  run: (tool: string) => Tool['run'],
): Map<string, ToolJudgement> {
  return new Map(
    server.allow.map((name) => {
      const mine = listed.filter(({ tool }) => tool === name);
      const wire = wireName(server.name, name);
      const [one, another] = mine;
      if (one === undefined) return [wire, { out: `${server.name} does not list it` }];
      if (another !== undefined) return [wire, { out: `${server.name} lists it twice` }];
      return [wire, judgeOne(server, one, approved(name), run(name))];
    }),
  );
}

function judgeOne(
  server: McpServer,
  listed: ListedTool,
  approved: readonly string[],
  run: Tool['run'],
): ToolJudgement {
  const tool = listed.entry as unknown as ServerTool;
  const why = whyNot(tool, listed, approved);
  if (why !== null) return { out: why };
  const name = wireName(server.name, tool.name);
  const parameters = tool.inputSchema as JsonObject;
  try {
    const args = argumentsSchema(parameters);
    const description = [tool.description, tool.title, tool.name].find(
      (text) => text !== undefined && text.trim() !== '',
    )!;
    const common = { name, description, parameters };
    return {
      tool: {
        ...common,
        locality: 'remote',
        reads: 'outside',
        entityTypes: [],
        args,
        limits: server.use,
        outside: { keeps: server.limits.maxResultBytes },
        run,
      },
      frozen: {
        ...common,
        ...titleIn(tool),
        source: server.name,
        hash: listed.hash,
        required: server.required.includes(tool.name),
      },
    };
  } catch (error) {
    return { out: error instanceof CasefileError ? error.message : 'its schema cannot be read' };
  }
}

function titleIn({ title, annotations }: ServerTool): Pick<FrozenTool, 'title'> {
  const named = [title, annotations?.title].find((text) => text !== undefined && text.trim() !== '');
  return named === undefined ? {} : { title: named.trim().slice(0, 200) };
}

function whyNot(
  { annotations }: ServerTool,
  { hash, entry }: ListedTool,
  approved: readonly string[],
): string | null {
  if (approved.length === 0) return 'it is new and was not approved yet';
  if (!approved.includes(hash)) return 'its entry is not the one that was approved';
  if (Buffer.byteLength(JSON.stringify(entry)) > MOST_ENTRY_BYTES)
    return `its entry has more than ${MOST_ENTRY_BYTES} bytes`;
  if (
    annotations?.readOnlyHint === false ||
    (annotations?.destructiveHint === true && annotations.readOnlyHint !== true)
  )
    return 'it says of itself that it changes things';
  return null;
}
