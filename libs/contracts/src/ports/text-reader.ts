import type { ImageReading } from '../artifacts/brief.js';

/** Reads the text in an image, offline. */
export interface TextReader {
  /**
   * Returns the text of the image. Parts that could not be read (too little time, poor quality, an unknown
   * script) are listed in the reading and cause no error.
   * @throws CasefileError `unreadable_image` if the bytes are not an image that it can open.
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
