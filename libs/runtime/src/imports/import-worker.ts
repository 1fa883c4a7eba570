import { posix } from 'node:path';
import {
  asCasefileError,
  InvalidInput,
  isWorkerError,
  type ChangeSource,
  type ClaimedImport,
  type ImportEnd,
  type ImportLease,
  type ImportProblem,
  type Imports,
  type Logger,
  type ImportLine,
  type ImportProgress,
  type ImportReport,
  type JsonObject,
} from '@casefile/contracts';
import {
  importers as shippedImporters,
  NO_SOURCE,
  prepareImport,
  type Importer,
  type ImportPorts,
  type ImportSource,
  type ImportNews,
} from '@casefile/knowledge';
import { LeaseKeeper, retryWhileStoreIsDown } from '@casefile/engine';

export interface ImportWorkerPorts {
  imports: Pick<Imports, 'claim' | 'renew' | 'pieces' | 'report' | 'end' | 'release'>;
  /** Ports of imports, except those of one import. */
  ports: Omit<ImportPorts, 'news' | 'signal'>;
  changes: ChangeSource;
  log: Logger;
  /** Default: the importers of all knowledge bases. */
  importers?: readonly Importer[];
}

const LIMITS = {
  /** Interval between two polls for imports while notifications arrive: it finds imports whose process died. */
  intervalMs: 30_000,
  /** Interval between two polls while no notification can arrive. */
  aloneMs: 3_000,
  /** After this time, another process takes an import whose process died. */
  leaseMs: 15_000,
};

/**
 * Runs imports that clients posted, each under a lease. An import that restarts after a crash adds only what
 * is missing, because importers skip identical entries.
 */
export class ImportWorker {
  private readonly keeper: LeaseKeeper<ImportLease>;
  private readonly running = new Set<Promise<void>>();
  /** Imports whose work has not ended, also if it lost its lease or ignores its signal. */
  private readonly working = new Set<string>();
  private timer: NodeJS.Timeout | null = null;
  private pass: Promise<void> = Promise.resolve();
  private unlisten: () => void = () => undefined;

  constructor(
    private readonly ports: ImportWorkerPorts,
    private readonly limits: typeof LIMITS = LIMITS,
  ) {
    const renew = (leases: ImportLease[], leaseMs: number) => ports.imports.renew(leases, leaseMs);
    this.keeper = new LeaseKeeper(renew, limits.leaseMs, ports.log);
  }

  start(): void {
    const { changes } = this.ports;
    const next = () => {
      const { intervalMs, aloneMs } = this.limits;
      if (this.timer !== null) clearTimeout(this.timer);
      this.timer = setTimeout(pass, changes.isListening() ? intervalMs : aloneMs).unref();
    };
    const pass = () => {
      // In sequence, so that a notification during a pass is followed by another one.
      this.pass = this.pass.then(() => this.tick()).finally(() => this.timer !== null && next());
    };
    next();
    this.unlisten = changes.on('imports', pass);
  }

  /** Releases running imports: another process, or the next start, begins them again. */
  async stop(): Promise<void> {
    this.unlisten();
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    await this.pass;
    this.keeper.stopAll();
    await Promise.all(this.running);
  }

  /**
   * Claims every import that may run now, except those whose earlier work still runs here: a second try would
   * need the same memory again. An outage of the store ends the pass; the next pass tries again.
   */
  async tick(): Promise<void> {
    try {
      for (;;) {
        const claimed = await this.ports.imports.claim(this.limits.leaseMs, [...this.working]);
        if (claimed === null) return;
        const work = this.run(claimed).finally(() => this.running.delete(work));
        this.running.add(work);
      }
    } catch (error) {
      this.ports.log.warn({ error }, 'imports could not be claimed, trying again');
    }
  }

  private async run(claimed: ClaimedImport): Promise<void> {
    const { imports, log } = this.ports;
    const { lease, request } = claimed;
    const heldLease = this.keeper.hold(lease);
    this.working.add(request.id);
    const notes = new ImportNotes((report) => imports.report(lease, report), log);
    try {
      const work = this.work(claimed, notes, heldLease.signal).finally(() => this.working.delete(request.id));
      const end = await importEnd(work, heldLease.signal);
      const lines = await notes.close();
      if (end === 'retry') await imports.release(lease);
      if (end === 'retry' || end === 'lost') return;
      await retryWhileStoreIsDown(heldLease.signal, log, () => imports.end(lease, lines, end));
      log.info({ importId: request.id, kind: request.kind, ...end }, 'an import has ended');
    } catch (error) {
      log.warn({ error, importId: request.id }, 'an import will be started again');
    } finally {
      heldLease.end();
    }
  }

  private async work({ request, files }: ClaimedImport, notes: ImportNotes, signal: AbortSignal) {
    const { importers = shippedImporters, ports } = this.ports;
    const importer = importers.find(({ name }) => name === request.kind);
    if (importer === undefined)
      throw new InvalidInput([{ path: 'kind', message: `there is no knowledge base ${request.kind}` }]);
    const put = prepareImport(importer, this.sourceOf(request, files), request.options);
    return put({ ...ports, news: notes, signal });
  }

  private sourceOf(
    { id, source, origin }: ClaimedImport['request'],
    posted: ClaimedImport['files'],
  ): ImportSource {
    if (source === null) return NO_SOURCE;
    const isFolder = posted.length > 1 || posted[0]?.name !== lastPart(source);
    const files = posted.map(({ name, size }, file) => ({
      name,
      path: isFolder ? posix.join(source, name) : source,
      content: { size: async () => size, pieces: () => this.ports.imports.pieces(id, file) },
    }));
    return { name: source, origin: origin ?? source, files };
  }
}

function lastPart(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path;
}

/** Returns the end of the work. `retry`: release it; `lost`: another worker has it. */
async function importEnd(work: Promise<boolean>, signal: AbortSignal): Promise<ImportEnd | 'retry' | 'lost'> {
  try {
    return { complete: await Promise.race([work, abortedSignal(signal)]) };
  } catch (thrown) {
    // An importer that ignores the signal ends later. Its result is then not used.
    work.catch(() => undefined);
    const error = asCasefileError(thrown);
    if (error.reasonCode === 'stale_lease') return 'lost';
    if (signal.aborted || isWorkerError(error)) return 'retry';
    return { problem: errorProblem(error) };
  }
}

function abortedSignal(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

function errorProblem(error: ReturnType<typeof asCasefileError>): ImportProblem {
  const { reasonCode, message: detail } = error;
  if (!(error instanceof InvalidInput)) return { reasonCode, detail };
  return { reasonCode, detail: 'The import is not valid.', errors: error.problems };
}

/** Interval between two reports to the record, in milliseconds. */
const REPORT_EVERY_MS = 500;

/** Collects the reports of an import, and writes them to the record at most twice a second. */
export class ImportNotes implements ImportNews {
  private readonly lines: ImportLine[] = [];
  private current: ImportProgress | null = null;
  private timer: NodeJS.Timeout | null = null;
  private written: Promise<unknown> = Promise.resolve();
  private closed = false;

  constructor(
    private readonly write: (report: ImportReport) => Promise<boolean>,
    private readonly log: Logger,
  ) {}

  result(line: string, json: object): void {
    this.add({ kind: 'result', line, json: json as JsonObject });
  }

  failure(line: string, json: object): void {
    this.add({ kind: 'failure', line, json: json as JsonObject });
  }

  note(line: string): void {
    this.add({ kind: 'note', line, json: null });
  }

  progress(what: string, total: number): ReturnType<ImportNews['progress']> {
    const to = (done: number): void => {
      this.current = { what, done, total };
      this.later();
    };
    to(0);
    return { to, end: () => void (this.current = null) };
  }

  /** Ends the reports. @returns all lines. */
  async close(): Promise<readonly ImportLine[]> {
    this.closed = true;
    if (this.timer !== null) clearTimeout(this.timer);
    await this.written;
    return this.lines;
  }

  private add(line: ImportLine): void {
    if (this.closed) return;
    this.lines.push(line);
    this.later();
  }

  private later(): void {
    if (this.closed || this.timer !== null) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      const report = { progress: this.current, lines: [...this.lines] };
      // A lost report needs no retry, because the next report contains the same lines.
      this.written = this.write(report).catch((error: unknown) =>
        this.log.debug({ error }, 'the progress of an import was not noted'),
      );
    }, REPORT_EVERY_MS).unref();
  }
}
