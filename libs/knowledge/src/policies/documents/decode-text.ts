import { CasefileError } from '@casefile/contracts';
import iconv from 'iconv-lite';
import htmlEncodingSniffer from 'html-encoding-sniffer';

const MARKS: [string, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/**
 * Decodes a file in the encoding named by its first bytes or, for HTML, its `<meta>`, else in UTF-8.
 * @throws CasefileError `unknown_encoding` if the bytes are invalid in that encoding, or are not text.
 */
export function decodeText(bytes: Uint8Array, kind: 'text' | 'html' = 'text'): string {
  const mark = MARKS.find(([, sign]) => sign.every((byte, i) => bytes[i] === byte));
  const encoding = mark?.[0] ?? (kind === 'html' ? namedEncoding(bytes) : 'utf-8');
  const text = decodedBytes(bytes, encoding);
  if (text.includes('\u0000'))
    throw new CasefileError(
      'unknown_encoding',
      'The file contains zero bytes: it is not a text, or not in UTF-8',
    );
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}

function namedEncoding(bytes: Uint8Array): string {
  return htmlEncodingSniffer(bytes, { defaultEncoding: 'utf-8' });
}

function decodedBytes(bytes: Uint8Array, encoding: string): string {
  // Only Unicode can be checked; in the other encodings every byte is some letter.
  if (!/^utf-/i.test(encoding) && iconv.encodingExists(encoding)) return iconv.decode(bytes, encoding);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    const message = `The file is not text in ${encoding}: save it as UTF-8`;
    throw new CasefileError('unknown_encoding', message, { cause: error });
  }
}
