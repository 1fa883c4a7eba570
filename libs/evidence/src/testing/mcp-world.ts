import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ListedTool, SourceHealth, ToolPins } from '@casefile/contracts';
import { silentLogger } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { mcpSource, type McpPorts } from '../mcp/mcp-source.js';
import type { McpServer } from '../mcp/settings.js';
import type { McpMethod, WrongAnswer } from './mcp-http-server.js';

/** Tools that the small server lists. */
export interface ListedWorld {
  down?: boolean;
  /** Methods that get wrong answers. */
  wrong?: Partial<Record<McpMethod, WrongAnswer>>;
  /** Results as JSON texts, by method, that are sent unchanged. */
  raw?: Record<string, string>;
  instructions?: string;
  tools: Record<string, unknown>[];
}

export const aListedTool = (name: string, over: object = {}): Record<string, unknown> => ({
  name,
  description: `Says ${name}.`,
  inputSchema: { type: 'object', properties: { value: { type: 'string' } } },
  ...over,
});

/** Pins in memory, as the store keeps them; `trusting` approves everything on first sight. */
export class MemoryPins implements Pick<ToolPins, 'approved' | 'noteServer'> {
  readonly hashes = new Map<string, string>();
  readonly seen = new Map<string, ListedTool>();
  health: SourceHealth | null = null;
  /** Every recorded state, in order. */
  readonly noted: SourceHealth['state'][] = [];
  broken = false;

  constructor(public trusting = false) {}

  async approved(): Promise<ReadonlyMap<string, string>> {
    if (this.broken) throw new Error('the table is gone');
    return new Map(this.hashes);
  }

  async noteServer(
    _server: string,
    health: SourceHealth,
    listed: readonly ListedTool[] | null,
  ): Promise<void> {
    this.health = health;
    this.noted.push(health.state);
    for (const one of listed ?? []) {
      this.seen.set(one.tool, one);
      if (this.trusting && !this.hashes.has(one.tool)) this.hashes.set(one.tool, one.hash);
    }
  }

  approve(...tools: string[]): void {
    for (const tool of tools) this.hashes.set(tool, this.seen.get(tool)!.hash);
  }
}

// The source path works from the build output too, which has no copy of the script.
const SCRIPT = fileURLToPath(new URL('../../src/testing/mcp-server.mjs', import.meta.url));

/** Longer than a test may take, so that no answer is too late because the machine is busy. */
const NEVER_MS = 300_000;

export const SOME_LIMITS: McpServer['limits'] = {
  connectMs: NEVER_MS,
  listMs: NEVER_MS,
  // Each call fetches the list again.
  listFreshMs: 0,
  callMs: NEVER_MS,
  callTotalMs: NEVER_MS,
  maxResultBytes: 1_000_000,
  healthMs: 60_000,
};

/** A source with the small server, whose list can change while it runs. */
export function mcpWorld(
  begin: ListedWorld,
  over: Partial<McpServer> = {},
  pins = new MemoryPins(),
  mask: McpPorts['mask'] = async (value) => ({ value }),
) {
  const folder = temporaryFolder('mcp-world');
  const file = join(folder, 'world.json');
  let world = begin;
  const lists = (next: ListedWorld): void => writeFileSync(file, JSON.stringify((world = next)));
  lists(begin);
  const server: McpServer = {
    name: 'cluster',
    via: { command: process.execPath, args: [SCRIPT, file], env: { GREETING: 'hello' } },
    allow: begin.tools.map(({ name }) => String(name)),
    required: [],
    pins: {},
    limits: SOME_LIMITS,
    use: { timeoutMs: NEVER_MS, attempts: 2, concurrency: 4 },
    ...over,
  };
  const source = mcpSource(server, { pins, log: silentLogger, mask });
  const close = async (): Promise<void> => {
    await source.close();
    rmSync(folder, { recursive: true });
  };
  /** Ends the server's process as a crash does. */
  const kill = (): void => void process.kill(Number(readFileSync(`${file}.pid`, 'utf8')), 'SIGKILL');
  /** The requested methods, in order. */
  const methods = (): string[] => readFileSync(`${file}.log`, 'utf8').trim().split('\n');
  return { source, server, pins, lists, kill, close, methods, world: () => world };
}
