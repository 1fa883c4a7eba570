import type { TaskModule } from '@casefile/contracts';
import { Pack, type PackLimits } from './pack.js';
import { packIn } from './pkt-lines.js';

export interface ReadHistoryArgs {
  /** The newest commit. */
  head: string;
  /** Most commits. */
  most: number;
  limits: PackLimits;
}

export interface HistoryCommit {
  id: string;
  author: string;
  /** ISO 8601, of the committer; null: the commit has none. */
  at: string | null;
  message: string;
}

/** Longest message and name, in UTF-16 units. */
const MOST_MESSAGE = 2_000;
const MOST_NAME = 200;

/** Reads the newest commits from the answer of a Git server, the newest first. */
export const run: TaskModule<ReadHistoryArgs, HistoryCommit[]>['run'] = async (
  answer,
  { head, most, limits },
) => {
  const pack = new Pack(packIn(answer), limits);
  await pack.index();
  const found = new Map<string, HistoryCommit>();
  let ids = [head];
  // Each pass is one generation, so that the newest commits of all branches are read first.
  while (ids.length > 0 && found.size < most) {
    const parents = ids.flatMap((id) => {
      const content = found.has(id) ? null : pack.read(id, 'commit');
      if (content === null || found.size >= most) return [];
      const commit = readCommit(id, content.toString('utf8'));
      found.set(id, commit.shown);
      return commit.parents;
    });
    ids = [...new Set(parents)];
  }
  return [...found.values()].sort((a, b) => (b.at ?? '').localeCompare(a.at ?? ''));
};

function readCommit(id: string, text: string): { shown: HistoryCommit; parents: string[] } {
  const end = text.indexOf('\n\n');
  const headers = (end < 0 ? text : text.slice(0, end)).split('\n');
  const after = (name: string) =>
    headers.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
  const [author = ''] = after('author');
  const [committer = ''] = after('committer');
  const seconds = Number(/> (\d{1,12}) [+-]\d{4}$/.exec(committer)?.[1] ?? Number.NaN);
  const at = new Date(seconds * 1_000);
  return {
    parents: after('parent'),
    shown: {
      id,
      author: author.slice(0, Math.max(0, author.indexOf(' <'))).slice(0, MOST_NAME),
      at: Number.isNaN(at.getTime()) ? null : at.toISOString(),
      message: end < 0 ? '' : text.slice(end + 2, end + 2 + MOST_MESSAGE).trim(),
    },
  };
}
