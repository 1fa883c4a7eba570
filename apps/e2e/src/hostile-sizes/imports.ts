import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileOnDisk, importers, prepareImport, type ImportPorts } from '@casefile/knowledge';
import { hostileFiles } from '@casefile/knowledge/testing';
import type { HostileInput } from './hostile-input.js';
import { emptyKnowledge } from './empty-knowledge.js';

/** Every hostile file, offered to every importer. */
export const imports: readonly HostileInput[] = importers.flatMap((importer) =>
  hostileFiles.map(({ name, content }): HostileInput => ({
    name: `Import of ${importer.name}: ${name}`,
    offer: async (folder) => {
      const place = join(folder, 'sent.md');
      await pipeline(Readable.from(content.pieces()), createWriteStream(place));
      return { place };
    },
    serve: async (place) => {
      let failure: string | null = null;
      const ports = {
        knowledge: emptyKnowledge(),
        signal: new AbortController().signal,
        summaries: null,
        news: {
          result: () => undefined,
          failure: (line: string) => void (failure = line),
          note: () => undefined,
          progress: () => ({ to: () => undefined, end: () => undefined }),
        },
      } as unknown as ImportPorts;
      const source = { name: place, origin: null, files: [fileOnDisk(place)] };
      const work = prepareImport(importer, source, {});
      return () =>
        work(ports).then(
          () => failure,
          (error: Error) => error.message,
        );
    },
  })),
);
