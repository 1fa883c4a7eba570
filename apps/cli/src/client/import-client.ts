import {
  acceptedImportSchema,
  asCasefileError,
  CasefileError,
  importStateSchema,
  sleep,
  type ImportState,
  type JsonObject,
} from '@casefile/contracts';
import { requestJson } from './request-json.js';

/** What is sent with the files of an import. */
export interface ImportRequest {
  source: string | null;
  origin: string | null;
  options: JsonObject;
  files: { name: string; bytes: Uint8Array }[];
}

const LOOK_EVERY_MS = 300;
/** A console that is restarted meanwhile has so long to come back. */
const PATIENCE_MS = 60_000;

/** Imports of a running Casefile. */
export class ImportClient {
  constructor(private readonly baseUrl: string) {}

  /** Posts an import. @returns its id. */
  async post(kind: string, { source, origin, options, files }: ImportRequest): Promise<string> {
    const form = new FormData();
    if (source !== null) form.append('source', source);
    if (origin !== null) form.append('origin', origin);
    form.append('options', JSON.stringify(options));
    for (const { name, bytes } of files) form.append('file', new Blob([new Uint8Array(bytes)]), name);
    const answer = await requestJson(this.url(`/imports/${kind}`), { method: 'POST', body: form });
    return acceptedImportSchema.parse(answer).importId;
  }

  /** The states of an import until it has ended, the last one included. */
  async *follow(importId: string): AsyncGenerator<ImportState> {
    let failingSince: number | null = null;
    for (;;) {
      try {
        const state = importStateSchema.parse(await requestJson(this.url(`/imports/${importId}`)));
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

  private url(path: string): URL {
    return new URL(`/api/v1${path}`, this.baseUrl);
  }
}

function isAway({ retryable, reasonCode }: CasefileError): boolean {
  return retryable || reasonCode === 'unreachable';
}
