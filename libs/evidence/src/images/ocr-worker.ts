import { CasefileError } from '@casefile/contracts';
import { setImmediate } from 'node:timers/promises';
import type { Worker as Thread } from 'node:worker_threads';
import type { Worker } from 'tesseract.js';
import { withLanguageFolder } from './language-data.js';

export interface OcrWord {
  text: string;
  /** From 0 to 100. */
  confidence: number;
  box: { x0: number; y0: number; x1: number; y1: number };
}

export interface OcrLine {
  text: string;
  words: OcrWord[];
}

export interface OcrResult {
  text: string;
  /** Mean of the words, from 0 to 100. */
  confidence: number;
  lines: OcrLine[];
}

/**
 * A loaded Tesseract in a separate thread. It reads one image at a time and can be ended but not interrupted.
 */
export interface OcrWorker {
  /** Rejects with Tesseract's error, and if the thread dies. */
  recognize(png: Buffer): Promise<OcrResult>;
  end(): Promise<void>;
}

/** @throws CasefileError `not_configured`, `ocr_failed`. */
export async function startOcrWorker(
  languages: readonly string[],
  folder: string | undefined,
): Promise<OcrWorker> {
  const fatal = failures();
  const { createWorker, OEM } = await import('tesseract.js');
  const worker = await withLanguageFolder(languages, folder, (langPath) => {
    // The library's promise stays pending if the data cannot be loaded; only the error handler receives the
    // error.
    const options = {
      langPath,
      cacheMethod: 'none',
      gzip: true,
      logger: () => undefined,
      errorHandler: fatal.report,
    };
    return Promise.race([createWorker([...languages], OEM.LSTM_ONLY, options), fatal.promise]);
  });
  // tesseract.js does not handle the death of its thread. Without this listener it would end the whole
  // process.
  workerThread(worker)?.on('error', fatal.report);
  let ended = false;
  return {
    recognize: async (png) => {
      if (ended) throw new CasefileError('ocr_failed', 'This worker has been ended');
      const output = { text: true, blocks: true };
      const { data } = await Promise.race([worker.recognize(png, {}, output), fatal.promise]);
      return { text: data.text, confidence: data.confidence, lines: blockLines(data.blocks ?? []) };
    },
    end: async () => {
      ended = true;
      // The last image may still be on its way to the thread. Ending the thread now would cause an error that
      // cannot be caught.
      await setImmediate();
      await worker.terminate();
    },
  };
}

/** Orientation of a picture, and the script of its letters. */
export interface Orientation {
  /** Clockwise degrees by which the picture has to be turned. */
  turn: number;
  script: string;
  scriptConfidence: number;
}

/**
 * Minimum number of characters for detection. Tesseract's default is 50, and few messages have 50 large
 * enough ones.
 */
const FEWEST_CHARACTERS = '5';

/**
 * Detects orientation and script in a separate thread that is then ended: rarely needed, and takes about 100
 * MB.
 * @returns null if there is too little text.
 */
export async function detectOrientation(
  png: Buffer,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<Orientation | null> {
  const fatal = failures();
  const { createWorker, OEM } = await import('tesseract.js');
  const worker = await withLanguageFolder([ORIENTATION_DATA], folder, (langPath) =>
    Promise.race([
      createWorker(ORIENTATION_DATA, OEM.TESSERACT_ONLY, {
        langPath,
        cacheMethod: 'none',
        gzip: true,
        legacyCore: true,
        legacyLang: true,
        logger: () => undefined,
        errorHandler: fatal.report,
      }),
      fatal.promise,
    ]),
  );
  workerThread(worker)?.on('error', fatal.report);
  const end = async () => {
    await setImmediate();
    await worker.terminate();
  };
  const onAbort = () => fatal.report(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    await worker.setParameters({ min_characters_to_try: FEWEST_CHARACTERS });
    const { data } = await Promise.race([worker.detect(png), fatal.promise]);
    const { orientation_degrees: degrees, script, script_confidence: scriptConfidence } = data;
    if (degrees === null || script === null) return null;
    return { turn: degrees, script, scriptConfidence: scriptConfidence ?? 0 };
  } finally {
    signal.removeEventListener('abort', onAbort);
    await end();
  }
}

/** Tesseract's data for orientation and script. */
export const ORIENTATION_DATA = 'osd';

type Blocks = NonNullable<Awaited<ReturnType<Worker['recognize']>>['data']['blocks']>;

function blockLines(blocks: Blocks): OcrLine[] {
  return blocks
    .flatMap(({ paragraphs }) => paragraphs.flatMap(({ lines }) => lines))
    .map(({ text, words }) => ({
      text,
      words: words.map(({ text: word, confidence, bbox }) => ({ text: word, confidence, box: bbox })),
    }));
}

function failures(): { promise: Promise<never>; report: (error: unknown) => void } {
  let report: (error: unknown) => void = () => undefined;
  const promise = new Promise<never>((_, reject) => {
    report = (error) => {
      const message = error instanceof Error ? error.message : String(error);
      reject(new CasefileError('ocr_failed', `Tesseract failed: ${message}`, { cause: error }));
    };
  });
  // The error may be reported while no call waits for it; the next call is rejected with it.
  promise.catch(() => undefined);
  return { promise, report };
}

// The typings omit the thread.
function workerThread(worker: Worker): Thread | undefined {
  return 'worker' in worker ? (worker.worker as Thread) : undefined;
}
