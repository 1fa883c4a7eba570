import { unlessAborted } from '@casefile/contracts';
import { unreadable } from './check-image.js';
import { startOcrWorker, type OcrResult, type OcrWorker } from './ocr-worker.js';

/** Reads one PNG in the given languages. @throws CasefileError `unreadable_image`, `not_configured`. */
export type Recognise = (
  languages: readonly string[],
  png: Buffer,
  signal: AbortSignal,
) => Promise<OcrResult>;

/** Pixels of a file from which a picture counts as large. */
const LARGE_PIXELS = 5_000_000;

interface LaneWorker {
  languages: string;
  started: Promise<OcrWorker>;
}

interface Lane {
  /** Settles after the previous pictures have been read. */
  turn: Promise<unknown>;
  worker: LaneWorker | null;
}

const newLane = (): Lane => ({ turn: Promise.resolve(), worker: null });

/** OCR workers: one for usual pictures and one for large ones. Each reads one picture at a time. */
export class OcrPool {
  private readonly usual = newLane();
  private readonly large = newLane();
  private ending: Promise<unknown> = Promise.resolve();

  /** @param folder Language data in addition to the installed packages. */
  constructor(private readonly folder: string | undefined) {}

  /** Runs `work` after the earlier pictures of the same size class have been read. */
  inTurn<T>(pixels: number, signal: AbortSignal, work: (recognise: Recognise) => Promise<T>): Promise<T> {
    const isLarge = pixels > LARGE_PIXELS;
    const lane = isLarge ? this.large : this.usual;
    const before = lane.turn;
    const mine = unlessAborted(signal, before).then(async () => {
      try {
        return await work((languages, png, limited) => this.recognise(lane, languages, png, limited));
      } finally {
        // A worker never frees the memory that a large picture took, so it is ended.
        if (isLarge) this.drop(lane);
      }
    });
    // The next picture waits for the earlier ones, whether they succeed or fail.
    lane.turn = Promise.allSettled([before, mine]);
    return mine;
  }

  async close(): Promise<void> {
    this.drop(this.usual);
    this.drop(this.large);
    await this.ending;
  }

  private async recognise(
    lane: Lane,
    languages: readonly string[],
    png: Buffer,
    signal: AbortSignal,
  ): Promise<OcrResult> {
    signal.throwIfAborted();
    const mine = this.workerFor(lane, languages);
    // Another worker may already be reading the next image, and that worker must not be ended.
    const dropMine = () => {
      if (lane.worker === mine) this.drop(lane);
    };
    // Not awaited, because a worker that hangs must not delay the next image.
    signal.addEventListener('abort', dropMine, { once: true });
    try {
      const worker = await mine.started;
      signal.throwIfAborted();
      return await worker.recognize(png).catch((error: unknown) => {
        throw unreadable('its content is broken', error);
      });
    } catch (error) {
      dropMine();
      throw error;
    } finally {
      signal.removeEventListener('abort', dropMine);
    }
  }

  private workerFor(lane: Lane, languages: readonly string[]): LaneWorker {
    const wanted = languages.join('+');
    if (lane.worker?.languages === wanted) return lane.worker;
    this.drop(lane);
    lane.worker = { languages: wanted, started: startOcrWorker(languages, this.folder) };
    return lane.worker;
  }

  // The next image starts a new worker. A worker that failed to start has no thread to end and has reported
  // its error.
  private drop(lane: Lane): void {
    const dropped = lane.worker;
    lane.worker = null;
    const ended = dropped?.started.then(
      (started) => started.end(),
      () => undefined,
    );
    this.ending = Promise.allSettled([this.ending, ended]);
  }
}
