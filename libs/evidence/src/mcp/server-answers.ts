import { createHash } from 'node:crypto';
import {
  argumentsSchema,
  CasefileError,
  type FrozenTool,
  type JsonObject,
  type ListedTool,
  type Tool,
  canonicalJson,
  parseBounded,
  isObject,
  type Json,
} from '@casefile/contracts';
import type { Tool as ServerTool, CallToolResult } from '@modelcontextprotocol/client';
import { wireName, type McpServer } from './settings.js';

/**
 * The pinned content of a tool: everything its server tells a model about the tool, and the server's
 * instructions.
 */
export function toolEntry(tool: ServerTool, instructions: string | undefined): ListedTool {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const parts = { name, title, description, inputSchema, outputSchema, annotations, instructions };
  const present = Object.entries(parts).filter(([, part]) => part !== undefined);
  const entry = JSON.parse(JSON.stringify(Object.fromEntries(present))) as JsonObject;
  return { tool: name, hash: entryHash(entry), entry };
}

/** SHA-256 over the canonical form (RFC 8785), in hexadecimal. */
export function entryHash(entry: JsonObject): string {
  return createHash('sha256').update(canonicalJson(entry)).digest('hex');
}

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

type Block = CallToolResult['content'][number];

/**
 * Converts a server's answer for the record: `text` and `data` if present, and `leftOut` for other content
 * (images, sound, files). Content sent both as text and as data is kept once.
 * @throws CasefileError `tool_error` or `invalid_arguments` if the server reports a failed call: a gap, not
 * evidence.
 */
export function readResult(result: CallToolResult): JsonObject {
  const { content = [], structuredContent, isError } = result;
  const texts = content.flatMap((block) => blockText(block) ?? []);
  if (isError === true) throw failedCall(texts.join('\n'));
  const data = structuredContent as Json | undefined;
  const once = data === undefined ? texts : texts.filter((text) => !saysSame(text, data));
  const leftOut = content.flatMap((block) => (blockText(block) === null ? [omissionNote(block)] : []));
  return {
    ...(data === undefined ? {} : { data }),
    ...(once.length === 0 && data !== undefined ? {} : { text: once.join('\n') }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
}

const SHOWN = 1_500;

function failedCall(said: string): CasefileError {
  const message = said.trim().slice(0, SHOWN) || 'the server reports that the call failed, without a reason';
  return new CasefileError(/^MCP error -32602\b/.test(said) ? 'invalid_arguments' : 'tool_error', message);
}

function blockText(block: Block): string | null {
  if (block.type === 'text') return block.text;
  if (block.type === 'resource' && 'text' in block.resource) return block.resource.text;
  if (block.type === 'resource_link') return `${block.name}: ${block.uri}`;
  return null;
}

function omissionNote(block: Block): string {
  const { data, blob, mimeType } =
    block.type === 'resource' ? { data: undefined, ...asRecord(block.resource) } : asRecord(block);
  const base64 = data ?? blob;
  const bytes = typeof base64 === 'string' ? Math.floor((base64.length * 3) / 4) : 0;
  return `${block.type}${typeof mimeType === 'string' ? ` ${mimeType}` : ''}, about ${bytes} bytes`;
}

const asRecord = (value: object): Record<string, unknown> => value as Record<string, unknown>;

function saysSame(text: string, data: Json): boolean {
  try {
    const read = parseBounded(text, 'The text of a result');
    if (canonicalJson(read) === canonicalJson(data)) return true;
    // Some servers wrap a result that is not an object in an object.
    const [only, ...others] = isObject(data) ? Object.values(data) : [];
    return others.length === 0 && only !== undefined && canonicalJson(read) === canonicalJson(only);
  } catch {
    const [only, ...others] = isObject(data) ? Object.values(data) : [];
    return others.length === 0 && only === text;
  }
}
