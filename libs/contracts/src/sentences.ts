/** ICU takes quadratic time over some signs (`[.] [.] ...`): a longer line is taken apart first. In UTF-16 units. */
const LONGEST_PART = 2_000;

/**
 * The sentences of a line and where each begins, as a segmenter of sentences tells them. Linear in the line's length; a
 * sentence that is longer than any that is written is parted at a blank.
 */
export function* sentencesIn(
  line: string,
  segmenter: Intl.Segmenter,
): Generator<{ segment: string; index: number }> {
  for (let from = 0; from < line.length;) {
    const part = partAt(line, from);
    for (const { segment, index } of segmenter.segment(part)) yield { segment, index: from + index };
    from += part.length;
  }
}

function partAt(line: string, from: number): string {
  const part = line.slice(from, from + LONGEST_PART);
  if (from + part.length >= line.length) return part;
  const blank = part.lastIndexOf(' ');
  if (blank > 0) return part.slice(0, blank + 1);
  // Between the halves of a character nothing is parted.
  return /[\ud800-\udbff]$/.test(part) ? part.slice(0, -1) : part;
}
