/** Bytes in which the HTML standard looks for the encoding. */
const HEAD_BYTES = 1_024;
const CHARSET = /charset\s{0,9}=\s{0,9}["']?([\w-]{2,40})/i;

/** Decodes a page by its first bytes, its content type, or its `<meta>`. Default: UTF-8. */
export function decodePage(bytes: Uint8Array, contentType: string): string {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, HEAD_BYTES));
  const named = [CHARSET.exec(contentType)?.[1], CHARSET.exec(head)?.[1]];
  return decoderOf([markOf(bytes), ...named]).decode(bytes);
}

function markOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

/** The first of these encodings that is known. */
function decoderOf(names: readonly (string | undefined)[]) {
  for (const name of names) {
    if (name === undefined) continue;
    try {
      return new TextDecoder(name);
    } catch {
      // A page may name an encoding that does not exist.
    }
  }
  return new TextDecoder();
}
