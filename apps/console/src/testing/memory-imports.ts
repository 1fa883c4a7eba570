import { CasefileError, type ImportState } from '@casefile/contracts';
import type { ConsolePorts } from '../console-ports.js';

/** An import as a test sees it. */
export interface PostedImport {
  kind: string;
  request: Parameters<ConsolePorts['store']['imports']['ready']>[0] | null;
  files: { name: string; bytes: Buffer }[];
  state: Partial<ImportState>;
}

/**
 * Imports in memory, as far as the console writes them. After an import called `full` the next import is
 * refused.
 */
export function memoryImports(posted: Map<string, PostedImport>): ConsolePorts['store']['imports'] {
  return {
    open: async (id, kind) => {
      if (posted.has('full'))
        throw new CasefileError('overloaded', 'too much is unfinished', { retryable: true });
      posted.set(id, { kind, request: null, files: [], state: {} });
    },
    addPiece: async (id, { file, name, bytes }) => {
      const files = posted.get(id)!.files;
      const before = files[file]?.bytes ?? Buffer.alloc(0);
      files[file] = { name, bytes: Buffer.concat([before, bytes]) };
    },
    ready: async (request) => void (posted.get(request.id)!.request = request),
    discard: async (id) => void posted.delete(id),
    get: async (id) => shown(id, posted.get(id)),
    list: async (limit) =>
      [...posted]
        .map(([id, entry]) => shown(id, entry)!)
        .toReversed()
        .slice(0, limit),
  };
}

function shown(id: string, entry: PostedImport | undefined): ImportState | null {
  if (entry === undefined) return null;
  const common = { importId: id, kind: entry.kind, source: null, state: 'waiting' as const, attempt: 0 };
  const open = { progress: null, lines: [], complete: null, problem: null, startedAt: null, doneAt: null };
  return { ...common, ...open, createdAt: '2026-01-05T10:00:00.000Z', ...entry.state };
}
