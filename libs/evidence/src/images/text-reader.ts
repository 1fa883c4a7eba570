import {
  CasefileError,
  unlessAborted,
  withTimeout,
  type TextRead,
  type TextReader,
} from '@casefile/contracts';
import { checkImage, IMAGE_LIMITS, type ImageLimits } from './check-image.js';
import { amountRead, joinedReadings, textLetters, RELIABLE_FROM, unreadParts } from './judge-reading.js';
import { installedLanguages } from './language-data.js';
import { OcrPool, type Recognise } from './ocr-pool.js';
import { detectOrientation, ORIENTATION_DATA, type OcrResult, type Orientation } from './ocr-worker.js';
import {
  localContrast,
  openPicture,
  picturePng,
  turnedPicture,
  without,
  type Picture,
  type Turn,
} from './picture.js';
import { readCodes, type Code } from './qr-codes.js';

export interface TextReaderOptions {
  /** Tesseract's names of the languages in which every image is read, the likeliest first. */
  languages: readonly string[];
  /** Languages tried if the first ones do not fit. Languages without data are left out. */
  further?: readonly string[];
  /**
   * Folder with `<language>.traineddata` files. Default: only the packages `@tesseract.js-data/<language>`.
   */
  dataFolder?: string;
  limits?: ImageLimits;
  /**
   * Time limit of one image from the start of its turn, all tries together. A screenshot takes about a
   * second.
   */
  timeoutMs?: number;
}

/**
 * Reads the text and the QR codes of PNG, JPEG and WebP images offline. The first image starts a worker
 * (about 150 MB). Large pictures use a separate worker that is ended after each, so that they neither delay
 * others nor keep their memory. An image that breaks its worker or takes too long ends the worker, never the
 * process.
 * @throws CasefileError `unreadable_image`, `not_configured`, `closed`, or the reason of the signal.
 */
export function createTextReader(options: TextReaderOptions): TextReader {
  const { limits = IMAGE_LIMITS, timeoutMs = 20_000, further = [], dataFolder } = options;
  const closing = new AbortController();
  const pool = new OcrPool(dataFolder);
  let installed: Promise<string[]> | null = null;

  return {
    async read(image, signal) {
      checkImage(image, limits);
      const stop = AbortSignal.any([signal, closing.signal]);
      stop.throwIfAborted();
      const picture = await unlessAborted(stop, openPicture(image, limits.maxPixels));
      installed ??= installedLanguages([...further, ORIENTATION_DATA], dataFolder);
      const has = await installed;
      const languages = { first: options.languages, further: further.filter((one) => has.includes(one)) };
      const orient = (png: Buffer, limited: AbortSignal) =>
        has.includes(ORIENTATION_DATA) ? detectOrientation(png, dataFolder, limited) : Promise.resolve(null);
      return pool.inTurn(picture.filePixels, stop, (recognise) =>
        new Reading(picture, languages, { recognise, orient }, timeoutMs).read(stop),
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
  /** Preparation that made the text readable. */
  note?: string;
}

interface Ocr {
  recognise: Recognise;
  orient(png: Buffer, signal: AbortSignal): Promise<Orientation | null>;
}

/** Pixels of the picture used to detect the orientation. */
const ORIENTED_PIXELS = 2_000_000;
/** Minimum confidence by which a reading in another script must exceed the first. */
const CLEARLY_SURER = 15;
/**
 * Share of the time limit after which no further try starts: a picture without text must not delay others.
 */
const TRIES_WITHIN = 0.5;
const UNTRIED: OcrResult = { text: '', confidence: 0, lines: [] };

/**
 * Reads one picture: plainly first, with further tries only if the result is unreliable, all within one time
 * limit.
 */
class Reading {
  private best: Try;
  private readonly startedAt = Date.now();
  private script: string | null = null;

  constructor(
    private picture: Picture,
    private readonly languages: Languages,
    private readonly ocr: Ocr,
    private readonly timeoutMs: number,
  ) {
    this.best = { picture, result: UNTRIED };
  }

  async read(signal: AbortSignal): Promise<TextRead> {
    const codes = await readCodes(this.picture);
    // Codes are painted over, because OCR reads their pattern as letters.
    this.picture = codes.reduce((picture, { box }) => without(picture, box), this.picture);
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
    const { first } = this.languages;
    const { recognise } = this.ocr;
    const plain = await recognise(first, await picturePng(this.picture), signal);
    this.best = { picture: this.picture, result: plain };
    if (this.isReliable() || this.isLate()) return;
    const contrast = await localContrast(this.picture);
    const second = await recognise(first, await picturePng(contrast), signal);
    const [better, other] = amountRead(second) > amountRead(plain) ? [second, plain] : [plain, second];
    this.best = { picture: this.picture, result: joinedReadings(better, other) };
    if (this.best.result.confidence >= RELIABLE_FROM || this.isLate()) return;
    await this.turn(signal);
    if (this.best.result.confidence >= RELIABLE_FROM) return;
    await this.otherScripts(signal);
  }

  /** Turns the picture and reads it again if it is not upright. */
  private async turn(signal: AbortSignal): Promise<void> {
    const orientation = await this.ocr.orient(await picturePng(this.picture, ORIENTED_PIXELS), signal);
    if (orientation === null) return;
    this.script = detectedScript(orientation.script, orientation.scriptConfidence);
    if (orientation.turn === 0) return;
    const picture = await turnedPicture(this.picture, orientation.turn as Turn);
    const result = await this.ocr.recognise(this.languages.first, await picturePng(picture), signal);
    if (amountRead(result) <= amountRead(this.best.result)) return;
    this.best = {
      picture,
      result,
      note: `The picture was turned by ${orientation.turn} degrees before it was read.`,
    };
  }

  /** Reads the picture in the languages of the detected script, or in one script after another. */
  private async otherScripts(signal: AbortSignal): Promise<void> {
    const groups = [...byScript(this.languages.further)];
    const likely = groups.filter(([script]) => script === this.script);
    for (const [script, languages] of likely.length > 0 ? likely : groups) {
      if (this.isLate()) return;
      const result = await this.ocr.recognise(languages, await picturePng(this.best.picture), signal);
      if (result.confidence >= this.best.result.confidence + CLEARLY_SURER)
        this.best = { picture: this.best.picture, result, note: `The text was read as ${script}.` };
      if (this.isReliable()) return;
    }
  }

  private isLate(): boolean {
    return Date.now() - this.startedAt > this.timeoutMs * TRIES_WITHIN;
  }

  private isReliable(): boolean {
    return unreadParts(this.best.result, this.best.picture).length === 0;
  }

  private outcome(codes: readonly Code[], failures: readonly string[]): TextRead {
    const { picture, result, note } = this.best;
    const texts = [...new Set(codes.map(({ text }) => text))];
    const read = textLetters(result.text) === 0 ? '' : result.text.trim();
    const confidence = read === '' ? 0 : Math.min(100, Math.max(0, result.confidence));
    const lacking = [...failures, ...unreadParts(result, picture)];
    const text = [read, ...texts].filter((part) => part !== '').join('\n\n');
    const notes = [
      ...(read === ''
        ? []
        : [`The text was read from an image, with confidence ${Math.round(confidence)} of 100.`]),
      ...(note === undefined ? [] : [note]),
      ...texts.map((code) => `The image has a QR code that holds "${code}".`),
    ];
    const unread = lacking.length === 0 ? [] : [...lacking, ...this.scriptSentence()];
    return { text, confidence, reading: { text, confidence, unread, notes } };
  }

  private scriptSentence(): string[] {
    const { confidence, text } = this.best.result;
    if (confidence >= RELIABLE_FROM || text.trim() === '') return [];
    const names = [...this.languages.first, ...this.languages.further];
    const looked = `it was read in: ${names.join(', ')}.`;
    if (this.script !== null && byScript(this.languages.first).has(this.script)) return [];
    if (this.script === null) return [`Its script was not recognised; ${looked}`];
    return byScript(names).has(this.script)
      ? [`Its script is probably ${this.script}; ${looked}`]
      : [`Its script is probably ${this.script}, for which no OCR data is installed; ${looked}`];
  }
}

/** Script of each Tesseract language; languages of one script are read together. */
const SCRIPT_OF: Readonly<Record<string, string>> = {
  ara: 'Arabic',
  fas: 'Arabic',
  urd: 'Arabic',
  ben: 'Bengali',
  chi_sim: 'Chinese',
  chi_tra: 'Chinese',
  bul: 'Cyrillic',
  rus: 'Cyrillic',
  srp: 'Cyrillic',
  ukr: 'Cyrillic',
  hin: 'Devanagari',
  mar: 'Devanagari',
  nep: 'Devanagari',
  ell: 'Greek',
  guj: 'Gujarati',
  heb: 'Hebrew',
  jpn: 'Japanese',
  kan: 'Kannada',
  kor: 'Korean',
  mal: 'Malayalam',
  pan: 'Gurmukhi',
  tam: 'Tamil',
  tel: 'Telugu',
  tha: 'Thai',
};

/** Groups languages by script, in their order; all languages with Latin letters are one group. */
function byScript(languages: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const language of languages) {
    const script = SCRIPT_OF[language] ?? 'Latin';
    groups.set(script, [...(groups.get(script) ?? []), language]);
  }
  return groups;
}

/** Script names of Tesseract's detection that differ from `SCRIPT_OF`. */
const DETECTED: Readonly<Record<string, string>> = {
  Han: 'Chinese',
  Hangul: 'Korean',
  Hiragana: 'Japanese',
  Katakana: 'Japanese',
  Fraktur: 'Latin',
};
/**
 * Confidence from which a detected script is used. These scripts are detected well, but never with a high
 * confidence.
 */
const NAMED_FROM = 0.5;
const NAMED_ANYWAY = new Set(['Han', 'Hangul', 'Korean', 'Japanese']);

/** Returns the detected script as named by `byScript`, or null if the detection is unreliable. */
function detectedScript(name: string, confidence: number): string | null {
  if (confidence < NAMED_FROM && !NAMED_ANYWAY.has(name)) return null;
  const script = DETECTED[name] ?? name;
  return script === 'Common' ? null : script;
}
