import {
  CasefileError,
  IMPORT_LIMITS,
  InvalidInput,
  reasonCodeOf,
  type ImportProblem,
  type ImportState,
  type JsonObject,
} from '@casefile/contracts';
import type { ImportNews, ImportSource } from '@casefile/runtime';
import type { ConsoleClient } from './client/console-client.js';
import { followImport, postImport } from './client/import-client.js';
import { orDirect } from './running-console.js';

/** Milliseconds without a worker after which the output says what the import waits for. */
const SAY_WAITING_AFTER_MS = 10_000;

/**
 * Imports a source through the running Casefile, and reports the result like a direct import.
 * @returns whether everything was imported.
 * @throws InvalidInput; CasefileError: `unreachable` if no console answers, and the error of the import.
 */
export async function importThroughConsole(
  kind: string,
  source: ImportSource,
  options: JsonObject,
  { client, news }: { client: ConsoleClient; news: ImportNews },
): Promise<boolean> {
  const { name, origin } = source;
  const files = await importSourceContent(source);
  const request = { source: name, origin, options, files };
  const importId = await postImport(client, kind, request).catch((thrown: unknown) => {
    throw orDirect(thrown, client.baseUrl, 'import with --direct into the database of this environment');
  });
  const display = new ImportDisplay(news);
  let last: ImportState | null = null;
  try {
    for await (const state of followImport(client, importId)) display.show((last = state));
  } finally {
    display.end();
  }
  if (last?.problem) throw importProblemError(last.problem);
  return last?.complete === true;
}

async function importSourceContent({ files }: ImportSource): Promise<{ name: string; bytes: Uint8Array }[]> {
  const all: { name: string; bytes: Uint8Array }[] = [];
  let total = 0;
  for (const { name, path, content } of files) {
    const size = await content.size();
    total += size;
    if (size > IMPORT_LIMITS.fileBytes || total > IMPORT_LIMITS.totalBytes)
      throw new CasefileError(
        'too_large',
        `${path}: one import takes files of ${mb(IMPORT_LIMITS.fileBytes)}, and ${mb(IMPORT_LIMITS.totalBytes)} together: import it in parts`,
      );
    const pieces: Uint8Array[] = [];
    for await (const piece of content.pieces()) pieces.push(piece);
    all.push({ name, bytes: Buffer.concat(pieces) });
  }
  return all;
}

function mb(bytes: number): string {
  return `${bytes / 1024 / 1024} MB`;
}

/** Prints the states of an import one after another: each line once, and the current progress. */
class ImportDisplay {
  private attempt = 0;
  private lines = 0;
  private bar: { what: string; total: number; progress: ReturnType<ImportNews['progress']> } | null = null;
  private readonly startedAt = Date.now();
  private hasReportedWaiting = false;

  constructor(private readonly news: ImportNews) {}

  show({ state, attempt, lines, progress }: ImportState): void {
    if (state === 'waiting') this.sayWaiting();
    // The worker died. Its successor reports every line again.
    if (attempt !== this.attempt) this.lines = 0;
    this.attempt = attempt;
    if (lines.length > this.lines || progress === null) this.end();
    for (const { kind, line, json } of lines.slice(this.lines)) {
      if (kind === 'note') this.news.note(line);
      else this.news[kind](line, json ?? {});
    }
    this.lines = Math.max(this.lines, lines.length);
    if (progress === null) return;
    if (this.bar?.what !== progress.what || this.bar.total !== progress.total) {
      this.end();
      const { what, total } = progress;
      this.bar = { what, total, progress: this.news.progress(what, total) };
    }
    this.bar.progress.to(progress.done);
  }

  end(): void {
    this.bar?.progress.end();
    this.bar = null;
  }

  private sayWaiting(): void {
    if (this.hasReportedWaiting || Date.now() - this.startedAt < SAY_WAITING_AFTER_MS) return;
    this.hasReportedWaiting = true;
    this.news.note('casefile: the import waits for an evidence-collector');
  }
}

function importProblemError({ reasonCode, detail, errors }: ImportProblem): CasefileError {
  if (errors !== undefined && errors.length > 0) return new InvalidInput(errors, 'import');
  return new CasefileError(reasonCodeOf(reasonCode), detail);
}
