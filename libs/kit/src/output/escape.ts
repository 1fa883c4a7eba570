// C0 and C1 controls, zero-width and bidirectional controls, the byte order mark and tag characters: they
// could move the cursor, hide text or reverse its order.
const UNSAFE = /[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Returns untrusted text as one line that a terminal displays safely: line breaks and tabs become blanks, and
 * other control characters become visible escapes.
 */
export function oneLine(text: string): string {
  return escapedText(
    text.replaceAll(/[\s\u0085]+/g, (run) => (/^[\n\r\t\v\f \u0085]+$/.test(run) ? ' ' : run)),
  ).trim();
}

/** Returns untrusted text with its line breaks. All other control characters become visible escapes. */
export function manyLines(text: string): string {
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => escapedText(line.replaceAll('\t', '  ')))
    .join('\n');
}

/** Returns at most `width` visible characters, with an ellipsis if text was cut off. */
export function excerpt(text: string, width: number): string {
  const line = oneLine(text.slice(0, width * 16));
  const characters = Array.from(graphemes.segment(line), (part) => part.segment);
  return characters.length <= width
    ? line
    : `${characters
        .slice(0, width - 1)
        .join('')
        .trimEnd()}…`;
}

function escapedText(text: string): string {
  return text.toWellFormed().replaceAll(UNSAFE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u{${code.toString(16)}}`;
  });
}
