import {
  CasefileError,
  unlessAborted,
  withTimeout,
  type TextReader,
  type TextRead,
} from '@casefile/contracts';
import { IMAGE_LIMITS, checkImage, type ImageLimits } from './check-image.js';
import { amountRead, joinedReadings, RELIABLE_FROM, unreadParts } from './judge-reading.js';
import { installedLanguages } from './language-data.js';
import { OcrPool, type Recognise } from './ocr-pool.js';
import type { OcrResult } from './ocr-worker.js';
import { localContrast, openPicture, pngOf, type Picture, type Turn } from './picture.js';
import { readCodes } from './qr-codes.js';
import { byScript } from './scripts.js';

export interface TextReaderOptions {
  /** Tesseract's names of the languages that every image is read in, the likeliest first. */
  languages: readonly string[];
  /** Languages that an image is read in when those do not fit. Those without data are left out. */
  further?: readonly string[];
  /** Folder with `<language>.traineddata` files; absent: the packages `@tesseract.js-data/<language>` alone. */
  dataFolder?: string;
  limits?: ImageLimits;
  /** For one image once it is its turn, all tries together; a screenshot takes about a second. */
  timeoutMs?: number;
}

/**
 * Reads the text and the QR codes of PNG, JPEG and WebP images offline. A worker (about 150 MB) is started by the first
 * image. Large pictures have a worker of their own that is ended after each, so that they neither delay others nor keep
 * their memory. An image that breaks its worker or takes too long costs the worker, never the process.
 * @throws CasefileError `unreadable_image`, `not_configured`, `closed`, or the reason of the signal. S1-01.
 */
export function createTextReader(options: TextReaderOptions): TextReader {
  const { limits = IMAGE_LIMITS, timeoutMs = 30_000 } = options;
  const closing = new AbortController();
  const pool = new OcrPool(options.dataFolder);
  let further: Promise<string[]> | null = null;

  return {
    async read(image, signal) {
      checkImage(image, limits);
      const stop = AbortSignal.any([signal, closing.signal]);
      stop.throwIfAborted();
      const picture = await unlessAborted(stop, openPicture(image, limits.maxPixels));
      further ??= installedLanguages(options.further ?? [], options.dataFolder);
      const languages = { first: options.languages, further: await further };
      return pool.inTurn(picture.filePixels, stop, (recognise) =>
        new Reading(picture, languages, recognise, timeoutMs).read(stop),
      );
    },
    async close() {
      closing.abort(new CasefileError('closed', 'The text reader is closed'));
      await pool.close();
    },
  };
}

interface Languages {
  first: readonly string[];
  further: readonly string[];
}

interface Try {
  picture: Picture;
  result: OcrResult;
  /** What was done so that it could be read. */
  note?: string;
}

/** Pixels of a picture that is read to find out which way is up. */
const TURNED_PIXELS = 1_500_000;
/** By how much a reading of a turned picture, or in another script, has to be surer than the first. */
const CLEARLY_SURER = 15;
const UNTRIED: OcrResult = { text: '', confidence: 0, lines: [] };

/** One picture's reading: the plain one first, further tries only if it cannot be relied on, all within one time limit. */
class Reading {
  private best: Try;

  constructor(
    private readonly picture: Picture,
    private readonly languages: Languages,
    private readonly recognise: Recognise,
    private readonly timeoutMs: number,
  ) {
    this.best = { picture, result: UNTRIED };
  }

  async read(signal: AbortSignal): Promise<TextRead> {
    const codes = await readCodes(this.picture);
    try {
      await withTimeout(this.timeoutMs, signal, (limited) => this.tries(limited), {
        message: `Reading the image took longer than ${this.timeoutMs} ms`,
      });
    } catch (error) {
      if (!(error instanceof CasefileError && error.reasonCode === 'timeout')) throw error;
      return this.outcome(codes, [
        `The image could not be read within ${Math.ceil(this.timeoutMs / 1000)} seconds.`,
      ]);
    }
    return this.outcome(codes, []);
  }

  private async tries(signal: AbortSignal): Promise<void> {
    const { first, further } = this.languages;
    const plain = await this.recognise(first, await pngOf(this.picture), signal);
    this.best = { picture: this.picture, result: plain };
    if (this.isReliable()) return;
    const contrast = await localContrast(this.picture);
    const second = await this.recognise(first, await pngOf(contrast), signal);
    const [better, other] = amountRead(second) > amountRead(plain) ? [second, plain] : [plain, second];
    this.best = { picture: this.picture, result: joinedReadings(better, other) };
    if (this.best.result.confidence >= RELIABLE_FROM) return;
    await this.turn(plain.confidence, signal);
    if (this.best.result.confidence >= RELIABLE_FROM) return;
    for (const [script, languages] of byScript(further)) {
      const result = await this.recognise(languages, await pngOf(this.best.picture), signal);
      if (result.confidence >= this.best.result.confidence + CLEARLY_SURER)
        this.best = { picture: this.best.picture, result, note: `The text was read as ${script}.` };
      if (this.isReliable()) return;
    }
  }

  private async turn(confidence: number, signal: AbortSignal): Promise<void> {
    for (const turn of [90, 270, 180] satisfies Turn[]) {
      const small = await pngOf(this.picture, turn, TURNED_PIXELS);
      const tried = await this.recognise(this.languages.first, small, signal);
      if (tried.confidence < Math.max(RELIABLE_FROM, confidence + CLEARLY_SURER)) continue;
      if (amountRead(tried) < amountRead(this.best.result)) continue;
      const picture = await turned(this.picture, turn);
      const result = await this.recognise(this.languages.first, await pngOf(picture), signal);
      this.best = { picture, result, note: `The picture was turned by ${turn} degrees before it was read.` };
      return;
    }
  }

  private isReliable(): boolean {
    return unreadParts(this.best.result, this.best.picture).length === 0;
  }

  private outcome(codes: readonly string[], failures: readonly string[]): TextRead {
    const { picture, result, note } = this.best;
    const read = result.text.trim();
    const confidence = read === '' ? 0 : Math.min(100, Math.max(0, result.confidence));
    const lacking = [...failures, ...unreadParts(result, picture)];
    const text = [read, ...codes].filter((part) => part !== '').join('\n\n');
    const how =
      read === ''
        ? []
        : [`The text was read from an image, with confidence ${Math.round(confidence)} of 100.`];
    const notes = [
      ...how,
      ...(note === undefined ? [] : [note]),
      ...codes.map((code) => `The image has a QR code that holds "${code}".`),
    ];
    const unread = lacking.length === 0 ? [] : [...lacking, ...this.looked()];
    return { text, confidence, reading: { text, confidence, unread, notes } };
  }

  private looked(): string[] {
    if (this.best.result.confidence >= RELIABLE_FROM || this.best.result.text === '') return [];
    const names = [...this.languages.first, ...this.languages.further].join(', ');
    return [`Its script was not recognised; it was read in: ${names}.`];
  }
}

async function turned(picture: Picture, turn: Turn): Promise<Picture> {
  return {
    ...(await openPicture(await pngOf(picture, turn), IMAGE_LIMITS.maxPixels)),
    filePixels: picture.filePixels,
  };
}
