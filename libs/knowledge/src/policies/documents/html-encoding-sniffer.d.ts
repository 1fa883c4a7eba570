/** Types of a package that has none. */
declare module 'html-encoding-sniffer' {
  /**
   * Returns the encoding of an HTML file as a label of the WHATWG: by its byte order mark, its declaration,
   * or the default.
   */
  export default function htmlEncodingSniffer(
    bytes: Uint8Array,
    options?: { defaultEncoding?: string; transportLayerEncodingLabel?: string },
  ): string;
}
