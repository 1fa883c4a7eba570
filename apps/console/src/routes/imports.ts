import type { Readable } from 'node:stream';
import {
  acceptedImportSchema,
  CasefileError,
  IMPORT_COMMANDS,
  IMPORT_LIMITS,
  importFormSchema,
  importListSchema,
  importStateSchema,
  InvalidInput,
  parseInput,
  PATTERN_STATE_PATH,
  patternStateSchema,
  z,
} from '@casefile/contracts';
import type { ConsolePorts } from '../console-ports.js';
import { readForm } from '../http/read-form.js';
import { route } from '../http/route.js';

/** Imports in one list. */
const LISTED = 50;

const KINDS = IMPORT_COMMANDS.map(({ name }) => name) as [string, ...string[]];

/** The form as the API document shows it. */
export const postImportForm = importFormSchema.extend({
  file: z
    .array(z.file())
    .optional()
    .describe('The files; names are paths below the folder that is imported. None for a URL.'),
});

/** Size of a stored piece of a file, in bytes. */
const PIECE_BYTES = 1024 * 1024;

const LONGEST_NAME = 1_024;

/** Stores files as they arrive, in pieces. */
class Upload {
  readonly names: string[] = [];
  private total = 0;

  constructor(
    private readonly imports: ConsolePorts['store']['imports'],
    private readonly importId: string,
  ) {}

  async add(name: string, content: Readable): Promise<void> {
    if (name.length > LONGEST_NAME)
      throw new CasefileError('too_large', `The name of a file has more than ${LONGEST_NAME} characters.`);
    const file = this.names.push(name) - 1;
    let piece = 0;
    for await (const bytes of inPieces(content)) {
      this.total += bytes.length;
      if (this.total > IMPORT_LIMITS.totalBytes)
        throw new CasefileError(
          'too_large',
          `The files have more than ${IMPORT_LIMITS.totalBytes} bytes together: import them in several parts.`,
        );
      await this.imports.addPiece(this.importId, { file, name, piece, bytes });
      piece += 1;
    }
  }
}

// An empty file yields one empty piece.
async function* inPieces(content: Readable): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let size = 0;
  let yielded = false;
  for await (const chunk of content as AsyncIterable<Buffer>) {
    waiting.push(chunk);
    size += chunk.length;
    if (size < PIECE_BYTES) continue;
    yield Buffer.concat(waiting);
    [waiting, size, yielded] = [[], 0, true];
  }
  if (size > 0 || !yielded) yield Buffer.concat(waiting);
}

function textJson(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidInput([{ path: 'options', message: 'expected a JSON object' }], 'form');
  }
}

/** Imports into knowledge bases. */
export const importRoutes = [
  route({
    method: 'get',
    path: PATTERN_STATE_PATH,
    operationId: 'getPatternState',
    right: 'viewer',
    tag: 'imports',
    summary: 'How many known patterns there are',
    input: {},
    answer: '{ patterns, revision }',
    response: patternStateSchema,
    handler: async ({ patternState }) => {
      const { revision, patterns } = await patternState();
      return { revision, patterns };
    },
  }),
  route({
    method: 'get',
    path: '/imports',
    operationId: 'listImports',
    right: 'viewer',
    tag: 'imports',
    summary: 'List imports, the newest first, with their progress',
    input: {},
    answer: '{ imports, nextCursor }: the newest 50',
    response: importListSchema,
    handler: async ({ store }) => ({ imports: await store.imports.list(LISTED), nextCursor: null }),
  }),
  route({
    method: 'post',
    path: '/imports/{import}',
    operationId: 'postImport',
    right: 'operator',
    tag: 'imports',
    summary: 'Import files or the content of a URL into a knowledge base',
    input: {
      params: z.object({ import: z.enum(KINDS).describe('The knowledge base to import into.') }),
    },
    shown: { body: postImportForm, bodyMedia: 'multipart/form-data' },
    problems: [413],
    answer: '{ importId }: an evidence-collector imports it; GET /imports/{importId} returns its progress',
    status: 202,
    response: acceptedImportSchema,
    handler: async ({ store, newId }, { params: { import: kind } }, { request }) => {
      const importId = newId();
      await store.imports.open(importId, kind);
      try {
        const files = new Upload(store.imports, importId);
        const fields = await readForm(request, IMPORT_LIMITS, (name, content) => files.add(name, content));
        const form = parseInput(
          importFormSchema,
          { ...fields, options: textJson(fields['options']) },
          'form',
        );
        const source = form.source ?? (files.names.length === 1 ? (files.names[0] ?? null) : null);
        if (source === null && files.names.length > 1)
          throw new InvalidInput([{ path: 'source', message: 'expected the name of the folder' }], 'form');
        await store.record.noteOperatorAction('import', { importId, kind, source });
        await store.imports.ready({
          id: importId,
          source,
          origin: form.origin ?? null,
          options: form.options,
        });
      } catch (error) {
        await store.imports.discard(importId);
        throw error;
      }
      return { importId };
    },
  }),
  route({
    method: 'get',
    path: '/imports/{import}',
    operationId: 'getImport',
    right: 'viewer',
    tag: 'imports',
    summary: 'One import: progress and result',
    input: {
      params: z.object({ import: z.string().max(100).describe('The id of the import.') }),
    },
    answer: 'state, progress, lines, complete, problem',
    response: importStateSchema,
    handler: async ({ store }, { params }) => {
      const importState = await store.imports.get(params.import);
      if (importState === null)
        throw new CasefileError('not_found', `no import has the id "${params.import}"`);
      return importState;
    },
  }),
];
