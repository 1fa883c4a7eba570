import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { rawPdf } from '@casefile/knowledge/testing';
import type { HostileInput } from './hostile-input.js';
import { emptyKnowledge } from './empty-knowledge.js';

/** Documents to import as a policy, by their file type. */
const DOCUMENTS: Record<string, { file: string; make(full: boolean): Buffer }> = {
  'PDF whose page unpacks to 600 MB': {
    file: 'page.pdf',
    make: (full) => rawPdf(packed(full ? 600_000_000 : 60_000_000), '/FlateDecode'),
  },
  'PDF whose page is packed twice': {
    file: 'twice.pdf',
    make: (full) =>
      rawPdf(deflateSync(packed(full ? 1_200_000_000 : 300_000_000)), '[/FlateDecode /FlateDecode]'),
  },
  'Markdown with 200,000 headings': {
    file: 'headings.md',
    make: (full) => Buffer.from('# A heading\n\n'.repeat(full ? 200_000 : 30_000)),
  },
  'HTML with 200,000 headings': {
    file: 'headings.html',
    make: (full) => Buffer.from('<h1>A heading</h1>\n'.repeat(full ? 200_000 : 30_000)),
  },
  'Markdown with a list nested 3,000 deep': {
    file: 'deep.md',
    make: () => Buffer.from(Array.from({ length: 3_000 }, (_, i) => `${'  '.repeat(i)}- item\n`).join('')),
  },
  'Markdown with 50 MB of words': {
    file: 'words.md',
    make: (full) => Buffer.from('words and words '.repeat((full ? 50_000_000 : 11_000_000) / 16)),
  },
  'Markdown with 9 MB of emphasis': {
    file: 'emphasis.md',
    make: () => Buffer.from(`${'*a **b '.repeat(60_000)}\n\n`.repeat(21)),
  },
};

export const documents: readonly HostileInput[] = Object.entries(DOCUMENTS).map(([name, { file, make }]) => ({
  name,
  offer: async (folder, full) => {
    const place = join(folder, file);
    await writeFile(place, make(full));
    return { place };
  },
  serve: async (place) => {
    const knowledge = emptyKnowledge();
    return async () => {
      const imported = await knowledge.importPolicyFile({ path: place, policyId: 'hostile' });
      return 'error' in imported ? imported.error.message : null;
    };
  },
}));

/** Returns a compressed page of spaces. */
function packed(bytes: number): Buffer {
  return deflateSync(Buffer.alloc(bytes, ' '), { level: 9 });
}
