import { CasefileError, unlessAborted, withTimeout, type TextReader } from '@casefile/contracts';
import { setImmediate } from 'node:timers/promises';
import type { Worker as Thread } from 'node:worker_threads';
import type { Worker } from 'tesseract.js';
import { mkdtemp, rm, symlink, access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { disableTypes, imageSize, types } from 'image-size';

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

/** A loaded Tesseract in a thread of its own. It reads one image at a time and cannot be interrupted, only ended. */
interface OcrWorker {
  /** Rejects with whatever Tesseract says, and when the thread dies. */
  recognize(image: Uint8Array): Promise<{ text: string; confidence: number }>;
  end(): Promise<void>;
}

/** @throws CasefileError `not_configured`, `ocr_failed`. */
async function startOcrWorker(languages: readonly string[]): Promise<OcrWorker> {
  const fatal = failures();
  const { createWorker, OEM } = await import('tesseract.js');
  const worker = await withLanguageFolder(languages, (langPath) => {
    // Its promise stays open when the data cannot be loaded: the error handler is the only one told.
    const options = {
      langPath,
      cacheMethod: 'none',
      gzip: true,
      logger: () => undefined,
      errorHandler: fatal.report,
    };
    return Promise.race([createWorker([...languages], OEM.LSTM_ONLY, options), fatal.promise]);
  });
  // tesseract.js does not listen for the death of its thread, which would end the process.
  threadOf(worker)?.on('error', fatal.report);
  let ended = false;
  return {
    recognize: async (image) => {
      if (ended) throw new CasefileError('ocr_failed', 'This worker has been ended');
      const { data } = await Promise.race([worker.recognize(Buffer.from(image)), fatal.promise]);
      return { text: data.text, confidence: data.confidence };
    },
    end: async () => {
      ended = true;
      // An image that was just handed in is still on its way to the thread; with the thread gone that would be an
      // error nobody can catch.
      await setImmediate();
      await worker.terminate();
    },
  };
}

function failures(): { promise: Promise<never>; report: (error: unknown) => void } {
  let report: (error: unknown) => void = () => undefined;
  const promise = new Promise<never>((_, reject) => {
    report = (error) => {
      const message = error instanceof Error ? error.message : String(error);
      reject(new CasefileError('ocr_failed', `Tesseract failed: ${message}`, { cause: error }));
    };
  });
  // It may be reported when nobody is waiting; whoever asks next is told.
  promise.catch(() => undefined);
  return { promise, report };
}

// The typings leave the thread out.
function threadOf(worker: Worker): Thread | undefined {
  return 'worker' in worker ? (worker.worker as Thread) : undefined;
}

/** Tesseract's integer models: a fifth of the size of the float ones at next to the same quality. */
const MODELS = '4.0.0_best_int';
const require = createRequire(import.meta.url);

/**
 * Runs `work` with one folder that holds the data of all the languages: tesseract.js reads from one folder only, and
 * each language is a package of its own. The folder holds links, and is gone afterwards.
 * @throws CasefileError `not_configured` when a language's package is not installed.
 */
async function withLanguageFolder<T>(
  languages: readonly string[],
  work: (path: string) => Promise<T>,
): Promise<T> {
  const files = await Promise.all(languages.map(dataFile));
  const folder = await mkdtemp(join(tmpdir(), 'casefile-ocr-'));
  try {
    await Promise.all(files.map((file, i) => symlink(file, join(folder, `${languages[i]}.traineddata.gz`))));
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function dataFile(language: string): Promise<string> {
  const name = `@tesseract.js-data/${language}`;
  try {
    const file = join(dirname(require.resolve(`${name}/package.json`)), MODELS, `${language}.traineddata.gz`);
    await access(file);
    return file;
  } catch (error) {
    const message = `No OCR data for the language ${JSON.stringify(language)}: install ${name}`;
    throw new CasefileError('not_configured', message, { cause: error });
  }
}

/** The three kinds an alert may carry; the other parsers of the library never see bytes from outside. */
const KINDS = ['png', 'jpg', 'webp'];
disableTypes(types.filter((type) => !KINDS.includes(type)));

interface ImageLimits {
  maxBytes: number;
  /** Width times height: what the picture takes in memory, whatever its file takes. */
  maxPixels: number;
}

/**
 * A photo of a phone's camera has 12 million pixels, a screenshot 4 million. 25 million take about 100 MB
 * while they are read.
 */
export const IMAGE_LIMITS: ImageLimits = { maxBytes: 12_000_000, maxPixels: 25_000_000 };

/**
 * Looks at an image's frame before a decoder does: kind, whole to its end, size.
 * @throws CasefileError `unreadable_image`.
 */
function checkImage(image: Uint8Array, limits: ImageLimits): void {
  if (image.byteLength > limits.maxBytes) throw unreadable(`it has more than ${limits.maxBytes} bytes`);
  const kind = kindOf(image);
  if (kind === null) throw unreadable('it is neither PNG, JPEG nor WebP');
  if (!ENDS[kind](Buffer.from(image.buffer, image.byteOffset, image.byteLength)))
    throw unreadable('it is cut short');
  const { width, height } = sizeOf(image);
  if (!(width > 0 && height > 0)) throw unreadable('it has no size');
  if (width * height > limits.maxPixels) throw unreadable(`it has more than ${limits.maxPixels} pixels`);
}

function unreadable(why: string, cause?: unknown): CasefileError {
  return new CasefileError('unreadable_image', `The image cannot be read: ${why}`, { cause });
}

type Kind = 'png' | 'jpeg' | 'webp';

function kindOf(image: Uint8Array): Kind | null {
  const head = Buffer.from(image.subarray(0, 16)).toString('latin1');
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (head.startsWith('\xff\xd8\xff')) return 'jpeg';
  return head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP' ? 'webp' : null;
}

/** Is the end of the picture there? Bytes after it are common and harmless. */
const ENDS: Record<Kind, (image: Buffer) => boolean> = {
  png: (image) => image.includes('IEND', 8, 'latin1'),
  jpeg: (image) => image.lastIndexOf(Buffer.from([0xff, 0xd9])) > 2,
  webp: (image) => image.length >= 20 && image.readUInt32LE(4) + 8 <= image.length,
};

function sizeOf(image: Uint8Array): { width: number; height: number } {
  try {
    return imageSize(image);
  } catch (error) {
    throw unreadable('its header is broken', error);
  }
}
