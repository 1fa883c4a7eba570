import {
  CasefileError,
  unlessAborted,
  withTimeout,
  type TextRead,
  type TextReader,
} from '@casefile/contracts';
import { checkImage, IMAGE_LIMITS, type ImageLimits } from './check-image.js';
import { amountRead, joinedReadings, lettersOf, RELIABLE_FROM, unreadParts } from './judge-reading.js';
import { installedLanguages } from './language-data.js';
import { OcrPool, type Recognise } from './ocr-pool.js';
import { detectOrientation, ORIENTATION_DATA, type OcrResult, type Orientation } from './ocr-worker.js';
import { localContrast, openPicture, pngOf, turned, without, type Picture, type Turn } from './picture.js';
import { readCodes, type Code } from './qr-codes.js';

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
  /** What was done so that it could be read. */
  note?: string;
}

interface Ocr {
  recognise: Recognise;
  orient(png: Buffer, signal: AbortSignal): Promise<Orientation | null>;
}

/** Pixels of a picture whose orientation is detected. */
const ORIENTED_PIXELS = 2_000_000;
/** By how much a reading in another script has to be surer than the first. */
const CLEARLY_SURER = 15;
/** Share of the time limit after which no further try starts: a picture without text must not keep others waiting. */
const TRIES_WITHIN = 0.5;
const UNTRIED: OcrResult = { text: '', confidence: 0, lines: [] };

/** One picture's reading: the plain one first, further tries only if it cannot be relied on, all within one time limit. */
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
    // To OCR a code looks like letters.
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
    const plain = await recognise(first, await pngOf(this.picture), signal);
    this.best = { picture: this.picture, result: plain };
    if (this.isReliable() || this.isLate()) return;
    const contrast = await localContrast(this.picture);
    const second = await recognise(first, await pngOf(contrast), signal);
    const [better, other] = amountRead(second) > amountRead(plain) ? [second, plain] : [plain, second];
    this.best = { picture: this.picture, result: joinedReadings(better, other) };
    if (this.best.result.confidence >= RELIABLE_FROM || this.isLate()) return;
    await this.turn(signal);
    if (this.best.result.confidence >= RELIABLE_FROM) return;
    await this.otherScripts(signal);
  }

  /** Reads the picture turned, if it does not lie as it should. */
  private async turn(signal: AbortSignal): Promise<void> {
    const found = await this.ocr.orient(await pngOf(this.picture, ORIENTED_PIXELS), signal);
    if (found === null) return;
    this.script = detectedScript(found.script, found.scriptConfidence);
    if (found.turn === 0) return;
    const picture = await turned(this.picture, found.turn as Turn);
    const result = await this.ocr.recognise(this.languages.first, await pngOf(picture), signal);
    if (amountRead(result) <= amountRead(this.best.result)) return;
    this.best = {
      picture,
      result,
      note: `The picture was turned by ${found.turn} degrees before it was read.`,
    };
  }

  /** Reads the picture in the languages of the script that was detected, or one script after another. */
  private async otherScripts(signal: AbortSignal): Promise<void> {
    const groups = [...byScript(this.languages.further)];
    const likely = groups.filter(([script]) => script === this.script);
    for (const [script, languages] of likely.length > 0 ? likely : groups) {
      if (this.isLate()) return;
      const result = await this.ocr.recognise(languages, await pngOf(this.best.picture), signal);
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
    const read = lettersOf(result.text) === 0 ? '' : result.text.trim();
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

/** Tesseract's languages that are read together, by the script that they are written in. */
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

/** Returns languages in groups of one script each, in their order; those of Latin letters are one group. */
function byScript(languages: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const language of languages) {
    const script = SCRIPT_OF[language] ?? 'Latin';
    groups.set(script, [...(groups.get(script) ?? []), language]);
  }
  return groups;
}

/** Names that Tesseract's detection gives scripts, where they differ. */
const DETECTED: Readonly<Record<string, string>> = {
  Han: 'Chinese',
  Hangul: 'Korean',
  Hiragana: 'Japanese',
  Katakana: 'Japanese',
  Fraktur: 'Latin',
};
/** Confidence of a detection from which the script is named; these are detected well, and never with a high one. */
const NAMED_FROM = 0.5;
const NAMED_ANYWAY = new Set(['Han', 'Hangul', 'Korean', 'Japanese']);

/** Returns the script that was detected, in the words of `byScript`; null: none to rely on. */
function detectedScript(name: string, confidence: number): string | null {
  if (confidence < NAMED_FROM && !NAMED_ANYWAY.has(name)) return null;
  const script = DETECTED[name] ?? name;
  return script === 'Common' ? null : script;
}
