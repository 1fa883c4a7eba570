/** Reads the text in an image, offline. S1-01. */
export interface TextReader {
  /** @throws CasefileError `unreadable_image` when the bytes are not an image it can open. */
  read(image: Uint8Array, signal: AbortSignal): Promise<{ text: string; confidence: number }>;
  close(): Promise<void>;
}
