import type { ImportLine, ImportProgress, ImportReport, JsonObject, Logger } from '@casefile/contracts';
import type { ImportNews } from '@casefile/knowledge';

/** Between two reports to the record, in milliseconds. */
const REPORT_EVERY_MS = 500;

/** Collects what an import reports, and writes it to the record at most twice a second. */
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
      // A report that is lost is made up for by the next one.
      this.written = this.write(report).catch((error: unknown) =>
        this.log.debug({ error }, 'the progress of an import was not noted'),
      );
    }, REPORT_EVERY_MS).unref();
  }
}
