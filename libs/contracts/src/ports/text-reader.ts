import type { ImageReading } from '../artifacts/brief.js';

/** Reads the text in an image, offline. S1-01. */
export interface TextReader {
  /**
   * Returns what was read. What could not be read (too little time, poor quality, an unknown script) is listed in the
   * reading and is no error.
   * @throws CasefileError `unreadable_image` when the bytes are not an image it can open.
   */
  read(image: Uint8Array, signal: AbortSignal): Promise<TextRead>;
  close(): Promise<void>;
}

/** Text and mean confidence, 0..100. `reading` is absent only in a replay of a run that recorded none. */
export interface TextRead {
  text: string;
  confidence: number;
  reading?: ImageReading;
}
