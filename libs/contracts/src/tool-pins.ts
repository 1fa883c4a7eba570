import { z } from 'zod';
import { type JsonObject, canonicalJson, isObject, jsonSchema, type Json } from './json.js';
import type { SourceHealth } from './ports/tool-source.js';
import { personal, readByAll, withheldSchema } from './access/field-class.js';

/** One tool as its server lists it. */
export interface ListedTool {
  /** Its name at the server. */
  tool: string;
  /** SHA-256 of the entry: 64 hexadecimal digits. */
  hash: string;
  /** The entry that the hash is computed from. */
  entry: JsonObject;
}

/** One tool on the record: the entry that its server listed last, and the entry that a reviewer approved. */
export interface PinnedTool {
  tool: string;
  seen: { hash: string; entry: JsonObject; at: string };
  /** Whether the server no longer lists the tool. */
  gone: boolean;
  /** The approved entry. null: no reviewer has approved one. */
  approved: { hash: string; entry: JsonObject; at: string; by: string } | null;
}

/** The latest state of a server, as the connected process recorded it. */
export interface PinnedServer {
  server: string;
  health: SourceHealth;
  /** Time at which this health state began. */
  changedAt: string;
  /** Time of the last check. */
  seenAt: string;
  tools: PinnedTool[];
}

/** Recent calls of a tool. */
export interface ToolUse {
  tool: string;
  calls: number;
  failed: number;
  lastAt: string | null;
  lastFailure: { reasonCode: string; message: string; at: string } | null;
}

/** Approvals of the entries in the tool lists of external servers. */
export interface ToolPins {
  /**
   * Returns the approved hash per tool name.
   * @throws if the approvals cannot be read. No tool may be used then.
   */
  approved(server: string): Promise<ReadonlyMap<string, string>>;
  /**
   * Records the health of a server and the tools it lists now, for reviewers to compare and approve. null:
   * the server is down and lists nothing.
   */
  noteServer(server: string, health: SourceHealth, listed: readonly ListedTool[] | null): Promise<void>;
  /** Returns every server that was ever connected, by name. */
  servers(): Promise<PinnedServer[]>;
  /**
   * Approves the entry that a server listed last, if its hash is still this one, and logs the approval.
   * @returns the tool in its present state. null: the server lists no such tool, or the tool has changed
   * since the review.
   */
  approve(server: string, tool: string, hash: string, by: string): Promise<PinnedTool | null>;
  /** Returns the recent calls of these tools, by wire name. Tools without a call are not included. */
  use(names: readonly string[]): Promise<ToolUse[]>;
}

/** One difference between two entries. null: that side has no value. */
export const entryChangeSchema = z.object({
  path: z.string().describe('Such as `inputSchema.properties.query.type`.'),
  before: readByAll(jsonSchema, 'Text of the tool server.'),
  after: readByAll(jsonSchema, 'Text of the tool server.'),
});
export type EntryChange = z.infer<typeof entryChangeSchema>;

/** One tool of a server, for reviewers. */
export const serverToolSchema = z.object({
  tool: z.string().describe('Its name at the server.'),
  name: z.string().describe('Its name here.'),
  state: z
    .enum(['approved', 'new', 'changed', 'unlisted'])
    .describe(
      '`new` and `changed` are not called before a person approves them; `unlisted`: its server does not list it.',
    ),
  required: z.boolean(),
  description: z.string().nullable(),
  hash: z.string().nullable().describe('Of the entry that is listed now: what is approved.'),
  approvedBy: z
    .string()
    .nullable()
    .describe('Who approved it; `configuration`: the settings contain its hash.'),
  approvedAt: z.string().nullable(),
  changes: z
    .array(entryChangeSchema)
    .describe('Changes from the approved to the listed entry; for a new tool, the whole entry.'),
  calls: z.int().describe('Among the newest 5,000 calls of all tools.'),
  failed: z.int(),
  lastAt: z.string().nullable(),
  lastFailure: z.object({ reasonCode: z.string(), message: personal(z.string()), at: z.string() }).nullable(),
});
export type ServerTool = z.infer<typeof serverToolSchema>;

export const toolServerSchema = z.object({
  server: z.string(),
  state: z.enum(['ready', 'connecting', 'down']),
  why: z.string().nullable().describe('Why it is down.'),
  changedAt: z.string().nullable(),
  seenAt: z.string().nullable().describe('When it was last checked; null: never.'),
  kinds: z.array(z.string()).describe('Kinds of case that may use it.'),
  tools: z.array(serverToolSchema),
});
export type ToolServer = z.infer<typeof toolServerSchema>;

/** `GET /tools`. */
export const toolServerListSchema = z.object({
  withheld: withheldSchema,
  servers: z.array(toolServerSchema),
});
export type ToolServerList = z.infer<typeof toolServerListSchema>;

/** Body of `POST /tools/{server}/approve`. */
export const approveToolsSchema = z.strictObject({
  tools: z
    .array(
      z.strictObject({
        tool: z.string().min(1).max(100),
        hash: z
          .string()
          .regex(/^[0-9a-f]{64}$/, 'expected the hash of the entry as it was shown: 64 hexadecimal digits'),
      }),
    )
    .min(1)
    .max(500),
  by: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .optional()
    .describe('Who approves, for the event log. Default: `console`.'),
});

/** Response of `POST /tools/{server}/approve`. */
export const approvedToolsSchema = z.object({
  approved: z.array(z.string()),
  refused: z
    .array(z.string())
    .describe('Tools that the server does not list, or lists differently than shown: review them again.'),
});
export type ApprovedTools = z.infer<typeof approvedToolsSchema>;

/** Maximum number of listed differences. */
const MOST_CHANGES = 200;

/** Returns the differences between two entries of a tool list. null: there is no entry. */
export function entryChanges(before: Json, after: Json, path = ''): EntryChange[] {
  if (canonicalJson(before) === canonicalJson(after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path: path === '' ? '(whole)' : path, before, after }];
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys
    .flatMap((key) =>
      entryChanges(before[key] ?? null, after[key] ?? null, path === '' ? key : `${path}.${key}`),
    )
    .slice(0, MOST_CHANGES);
}
