import type { Right } from '@casefile/contracts';

/** The right that a path requires. A service answers only paths that have an entry. */
export interface AccessEntry {
  /** `get` includes HEAD. `*`: every method. */
  method: 'get' | 'post' | '*';
  /** `{name}` stands for one segment. A final `/**` stands for the path before it and every path below. */
  path: string;
  right: Right;
  /** Content of the path, for the reference. */
  about: string;
  /**
   * Whether the path answers from memory while the database is unavailable, for callers who were checked in the last
   * five minutes. Its answer must not need the record. Default: false.
   */
  withoutStore?: boolean;
}

/** Entry of a path; or only the methods that the path has, in capitals; or null: the path is unknown. */
export type AccessMatch = { entry: AccessEntry } | { allowed: readonly string[] } | null;

interface CompiledEntry {
  entry: AccessEntry;
  /** Segments in lower case; null: any segment. */
  segments: readonly (string | null)[];
  hasSubpaths: boolean;
}

/**
 * Finds the entry of a request as Express finds its handler: the first match counts, capitals and a final
 * slash do not.
 */
export class AccessTable {
  /** Entries by their number of segments, and entries with subpaths. */
  private readonly bySize = new Map<number, CompiledEntry[]>();
  private readonly withSubpaths: CompiledEntry[] = [];

  constructor(readonly entries: readonly AccessEntry[]) {
    for (const entry of entries) {
      const compiled = compile(entry);
      if (compiled.hasSubpaths) this.withSubpaths.push(compiled);
      else
        this.bySize.set(compiled.segments.length, [
          ...(this.bySize.get(compiled.segments.length) ?? []),
          compiled,
        ]);
    }
  }

  /** @param path of the request, still encoded and without its query. */
  find(method: string, path: string): AccessMatch {
    const segments = splitPath(path);
    const allowed = new Set<string>();
    for (const compiled of [...(this.bySize.get(segments.length) ?? []), ...this.withSubpaths]) {
      if (!matches(compiled, segments)) continue;
      const { entry } = compiled;
      if (takesMethod(entry, method)) return { entry };
      allowed.add(entry.method.toUpperCase());
    }
    return allowed.size === 0 ? null : { allowed: [...allowed] };
  }
}

function compile(entry: AccessEntry): CompiledEntry {
  const hasSubpaths = entry.path.endsWith('/**');
  const plain = hasSubpaths ? entry.path.slice(0, -3) : entry.path;
  const segments = splitPath(plain).map((segment) => (segment.startsWith('{') ? null : segment));
  return { entry, segments, hasSubpaths };
}

function splitPath(path: string): string[] {
  const plain = path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
  return plain.toLowerCase().split('/');
}

function matches({ segments, hasSubpaths }: CompiledEntry, requested: readonly string[]): boolean {
  if (hasSubpaths ? requested.length < segments.length : requested.length !== segments.length) return false;
  return segments.every((segment, i) => (segment === null ? requested[i] !== '' : segment === requested[i]));
}

// Express answers OPTIONS with the methods of a path, and HEAD as it answers GET.
function takesMethod({ method }: AccessEntry, requested: string): boolean {
  if (method === '*' || requested === 'OPTIONS') return true;
  return method === (requested === 'HEAD' ? 'get' : requested.toLowerCase());
}
