import { setImmediate } from 'node:timers/promises';
import type { Worker as Thread } from 'node:worker_threads';
import { CasefileError } from '@casefile/contracts';
import { createWorker, OEM, type Worker } from 'tesseract.js';
import { withLanguageFolder } from './language-folder.js';

/** A loaded Tesseract in a thread of its own. It reads one image at a time and cannot be interrupted, only ended. */
export interface OcrWorker {
  /** Rejects with whatever Tesseract says, and when the thread dies. */
  recognize(image: Uint8Array): Promise<{ text: string; confidence: number }>;
  end(): Promise<void>;
}

/** @throws CasefileError `not_configured`, `ocr_failed`. */
export async function startOcrWorker(languages: readonly string[]): Promise<OcrWorker> {
  const fatal = failures();
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
