import { CasefileError, unlessAborted, withTimeout, type TextReader } from '@casefile/contracts';
import { checkImage, IMAGE_LIMITS, unreadable, type ImageLimits } from './image-check.js';
import { startOcrWorker, type OcrWorker } from './ocr-worker.js';

export interface TextReaderOptions {
  /** Tesseract's names of the languages to look for, the likeliest first; each has its data in `@tesseract.js-data`. */
  languages: readonly string[];
  limits?: ImageLimits;
  /** For one image once it is its turn; a screenshot takes about a second. */
  timeoutMs?: number;
}

/**
 * Reads the text of PNG, JPEG and WebP images offline. The worker (about 150 MB) is started by the first image; images
 * are read one after another; one that breaks the worker or is called off costs the worker, never the process.
 * `confidence` is 0..100, and 0 when there is no text.
 * @throws CasefileError `unreadable_image`, `timeout`, `not_configured`, `closed`, or the reason of the signal. S1-01.
 */
export function createTextReader(options: TextReaderOptions): TextReader {
  const { languages, limits = IMAGE_LIMITS, timeoutMs = 30_000 } = options;
  const closing = new AbortController();
  let worker: Promise<OcrWorker> | null = null;
  let turn: Promise<unknown> = Promise.resolve();
  let ending: Promise<unknown> = Promise.resolve();

  // The next image starts a new one. A worker that never started has nothing to end, and has told why already.
  const dropWorker = () => {
    const dropped = worker;
    worker = null;
    const ended = dropped?.then(
      (started) => started.end(),
      () => undefined,
    );
    ending = Promise.allSettled([ending, ended]);
  };

  const recognize = async (image: Uint8Array, signal: AbortSignal) => {
    worker ??= startOcrWorker(languages);
    const ready = await worker;
    // Called off while the worker was starting: by now it is on its way out.
    signal.throwIfAborted();
    return ready.recognize(image).catch((error: unknown) => {
      throw unreadable('its content is broken', error);
    });
  };

  const readNow = async (image: Uint8Array, signal: AbortSignal) => {
    try {
      const { text, confidence } = await withTimeout(
        timeoutMs,
        signal,
        (limited) => recognize(image, limited),
        { message: `Reading the image gave no answer within ${timeoutMs} ms` },
      );
      const trimmed = text.trim();
      return { text: trimmed, confidence: trimmed === '' ? 0 : Math.min(100, Math.max(0, confidence)) };
    } catch (error) {
      // Not waited for: a worker that hangs must not hold up the next image.
      dropWorker();
      throw error;
    }
  };

  return {
    async read(image, signal) {
      checkImage(image, limits);
      const before = turn;
      const stop = AbortSignal.any([signal, closing.signal]);
      const mine = unlessAborted(stop, before).then(() => readNow(image, stop));
      // The next one waits for those before it, whatever came of them.
      turn = Promise.allSettled([before, mine]);
      return mine;
    },
    async close() {
      closing.abort(new CasefileError('closed', 'The text reader is closed'));
      dropWorker();
      await ending;
    },
  };
}
