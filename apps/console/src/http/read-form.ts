import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { CasefileError, InvalidInput } from '@casefile/contracts';
import busboy from 'busboy';

/** Paths that accept forms: file uploads, and the button of the page that acknowledges. */
export const TAKES_FORMS = /^\/(?:api\/v1\/imports|acknowledge)\/[^/]+$/;

export interface FormLimits {
  files: number;
  /** Maximum bytes per file. */
  fileBytes: number;
}

const MOST_FIELDS = 20;
const MOST_FIELD_BYTES = 256 * 1024;

/**
 * Reads a request of `multipart/form-data`. Files are processed one after another as they arrive, so that no
 * file has to fit into memory. After an error the rest of the body is discarded.
 * @returns the fields that are not files.
 * @throws InvalidInput if the body is not a form; CasefileError `too_large`; any error of `onFile`.
 */
export async function readForm(
  request: IncomingMessage,
  { files, fileBytes }: FormLimits,
  onFile: (name: string, content: Readable) => Promise<void>,
): Promise<Record<string, string>> {
  const parser = incomingMessageParser(request, { files, fileSize: fileBytes });
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  let work = Promise.resolve();
  return new Promise((resolve, reject) => {
    const fail = (error: unknown): void => {
      reject(error as Error);
      // Do not destroy the parser inside one of its own events: after the event it uses state that a
      // destroyed parser no longer has.
      setImmediate(() => {
        request.unpipe(parser);
        request.resume();
        parser.destroy();
      });
    };
    parser.on('file', (_field, content, { filename = 'file' }) => {
      content.on('limit', () => fail(tooLarge(`a file of more than ${fileBytes} bytes`)));
      content.on('error', () => undefined);
      work = work.then(() => onFile(filename, content));
      work.catch(fail);
    });
    parser.on('field', (name, value) => void (fields[name] = value));
    parser.on('filesLimit', () => fail(tooLarge(`more than ${files} files`)));
    parser.on('fieldsLimit', () => fail(tooLarge(`more than ${MOST_FIELDS} fields`)));
    parser.on('error', (error) => fail(noForm(error)));
    parser.on('close', () => void work.then(() => resolve(fields), fail));
    request.once('close', () => {
      if (!request.complete) fail(new CasefileError('network', 'the client closed the connection'));
    });
    request.pipe(parser);
  });
}

function incomingMessageParser({ headers }: IncomingMessage, limits: { files: number; fileSize: number }) {
  try {
    return busboy({
      headers,
      preservePath: true,
      defParamCharset: 'utf8',
      limits: { ...limits, fields: MOST_FIELDS, fieldSize: MOST_FIELD_BYTES },
    });
  } catch (error) {
    throw noForm(error);
  }
}

function noForm(error: unknown): InvalidInput {
  const why = error instanceof Error ? error.message : String(error);
  return new InvalidInput([{ path: '', message: `expected a body of multipart/form-data: ${why}` }], 'form');
}

function tooLarge(what: string): CasefileError {
  return new CasefileError('too_large', `The form has ${what}.`);
}
