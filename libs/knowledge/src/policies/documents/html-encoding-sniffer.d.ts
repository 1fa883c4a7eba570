/** The package has no types of its own. */
declare module 'html-encoding-sniffer' {
  /** The encoding of an HTML file by its byte order mark, what it says of itself, or the default: a label of the WHATWG. */
  export default function htmlEncodingSniffer(
    bytes: Uint8Array,
    options?: { defaultEncoding?: string; transportLayerEncodingLabel?: string },
  ): string;
}
