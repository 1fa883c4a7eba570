/**
 * ICU takes quadratic time over some characters (`[.] [.] ...`), so a longer text is split first. In UTF-16
 * units.
 */
const LONGEST_PART = 2_000;

/**
 * Yields the sentences of a text with their positions, as a segmenter splits them. A sentence ends at the end
 * of its line at the latest. Takes linear time; a sentence longer than any real one is split at a space. Pass
 * many lines in one call, because each call of a segmenter copies ICU's tables.
 */
export function* sentencesIn(
  text: string,
  segmenter: Intl.Segmenter,
): Generator<{ segment: string; index: number }> {
  for (let from = 0; from < text.length;) {
    const part = partAt(text, from);
    for (const { segment, index } of segmenter.segment(part)) yield { segment, index: from + index };
    from += part.length;
  }
}

function partAt(text: string, from: number): string {
  const part = text.slice(from, from + LONGEST_PART);
  if (from + part.length >= text.length) return part;
  const end = Math.max(part.lastIndexOf('\n'), 0) || part.lastIndexOf(' ');
  if (end > 0) return part.slice(0, end + 1);
  // Do not split a surrogate pair.
  return /[\ud800-\udbff]$/.test(part) ? part.slice(0, -1) : part;
}
