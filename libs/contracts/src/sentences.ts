/** ICU takes quadratic time over some signs (`[.] [.] ...`): a longer text is taken apart first. In UTF-16 units. */
const LONGEST_PART = 2_000;

/**
 * The sentences of a text and where each begins, as a segmenter of sentences tells them: one ends with its line at the
 * latest. Linear in the length; a sentence that is longer than any that is written is parted at a blank. To be given many
 * lines at once, for each call of a segmenter copies ICU's tables.
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
  // Between the halves of a character nothing is parted.
  return /[\ud800-\udbff]$/.test(part) ? part.slice(0, -1) : part;
}
