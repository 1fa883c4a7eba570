import {
  canonicalJson,
  CasefileError,
  parseBounded,
  isObject,
  type Json,
  type JsonObject,
} from '@casefile/contracts';
import type { CallToolResult } from '@modelcontextprotocol/client';

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
