import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject, type ListedTool } from '@casefile/contracts';
import type { Tool as ServerTool } from '@modelcontextprotocol/client';

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
