import {
  asCasefileError,
  CasefileError,
  sleep,
  type ImportState,
  type JsonObject,
} from '@casefile/contracts';
import type { ConsoleClient } from './console-client.js';

/** Fields sent with the files of an import. */
export interface ImportRequest {
  source: string | null;
  origin: string | null;
  options: JsonObject;
  files: { name: string; bytes: Uint8Array }[];
}

const LOOK_EVERY_MS = 300;
/** Time that a restarting console has to become available again, in milliseconds. */
const PATIENCE_MS = 60_000;

/** Posts an import. @returns the import's id. */
export async function postImport(
  client: ConsoleClient,
  kind: string,
  { source, origin, options, files }: ImportRequest,
): Promise<string> {
  const form = new FormData();
  if (source !== null) form.append('source', source);
  if (origin !== null) form.append('origin', origin);
  form.append('options', JSON.stringify(options));
  for (const { name, bytes } of files) form.append('file', new Blob([new Uint8Array(bytes)]), name);
  return (await client.post('/imports/{import}', { params: { import: kind }, form })).importId;
}

/** Yields each state of an import until the import has ended, including the last state. */
export async function* followImport(client: ConsoleClient, importId: string): AsyncGenerator<ImportState> {
  let failingSince: number | null = null;
  for (;;) {
    try {
      const state = await client.get('/imports/{import}', { params: { import: importId } });
      failingSince = null;
      yield state;
      if (state.state === 'done' || state.state === 'failed') return;
    } catch (thrown) {
      const error = asCasefileError(thrown);
      failingSince ??= Date.now();
      if (!isAway(error) || Date.now() - failingSince > PATIENCE_MS) throw thrown;
    }
    await sleep(LOOK_EVERY_MS);
  }
}

function isAway({ retryable, reasonCode }: CasefileError): boolean {
  return retryable || reasonCode === 'unreachable';
}
