import { execFileSync } from 'node:child_process';
import { mkdir, open, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gitServer } from '@casefile/evidence/testing';
import { systemClock } from '@casefile/runtime';
import type { HostileInput } from './hostile-input.js';
import { emptyKnowledge } from './empty-knowledge.js';

const NO_RULES = { rules: [], default: null, allowedHosts: [], sources: [] };

/** Git repositories to read as a source of runbooks, with the number of zero bytes in each file. */
const REPOSITORIES: Record<string, Record<string, number>> = {
  'Git with 400 MB of zeros': { 'zeros.bin': 400_000_000 },
  'Git with Markdown of 300 MB': { 'large.md': 300_000_000 },
};

export const repositories: readonly HostileInput[] = Object.entries(REPOSITORIES).map(([name, sizes]) => ({
  name,
  offer: async (folder, full) => {
    const books = join(folder, 'books');
    await mkdir(books);
    await writeFile(join(books, 'disk.md'), '# Full disk\n\nDelete old files.\n');
    for (const [file, bytes] of Object.entries(sizes)) {
      const handle = await open(join(books, file), 'w');
      await handle.truncate(full ? bytes : 110_000_000);
      await handle.close();
    }
    for (const args of [
      ['init', '-q'],
      ['add', '-A'],
      ['commit', '-qm', 'Books'],
    ])
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], { cwd: books });
    const server = await gitServer(folder);
    const { port } = server.address() as AddressInfo;
    return {
      place: `http://127.0.0.1:${port}/books/.git`,
      close: async () => {
        server.close();
        server.closeAllConnections();
      },
    };
  },
  serve: async (place) => {
    const { runbooks } = emptyKnowledge(NO_RULES);
    const context = { clock: systemClock, signal: new AbortController().signal };
    // Loads the HTTP client first, as in a service that has already read something.
    await runbooks.importRunbooks({ url: `${place}/HEAD` }, context);
    return () =>
      runbooks.importRunbooks({ git: place }, context).then(
        ({ wrong }) => wrong[0]?.error.message ?? null,
        (error: Error) => error.message,
      );
  },
}));
