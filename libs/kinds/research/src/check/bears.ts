import { type FoundDate, quoteText, sameDate } from '@casefile/pipeline/reading/index';
import type { Original } from './passages.js';

/** Returns whether a source contains a date. */
export function bearsDate({ value: date, said }: FoundDate, { dates, years, figures }: Original): boolean {
  if (dates.some((told) => sameDate(date, told, years))) return true;
  // `5日` may mean five days, and a year may be a plain number.
  const alone = Object.keys(date).length === 1;
  const value = date.d ?? date.y;
  return (
    alone &&
    value !== undefined &&
    figures.some(
      (told) => told.value === value && (told.unit === 'days' || told.unit === null || said.length > 4),
    )
  );
}

/** Returns whether a source contains a quotation literally. */
export function bearsQuote(quote: string, { quotes }: Original): boolean {
  const sought = withoutStop(quoteText(quote));
  if (sought === '') return true;
  for (let at = quotes.indexOf(sought); at >= 0; at = quotes.indexOf(sought, at + 1)) {
    const before = quotes[at - 1] ?? '';
    const after = quotes[at + sought.length] ?? '';
    const cutsWord =
      (/[a-z0-9]/.test(before) && /^[a-z0-9]/.test(sought)) ||
      (/[a-z0-9]/.test(after) && /[a-z0-9]$/.test(sought));
    if (!cutsWord) return true;
  }
  return false;
}

// Scans from the end, because a pattern anchored only at the end would restart at every character.
function withoutStop(text: string): string {
  let end = text.length;
  while (end > 0 && '，,。.、；;！!？?…'.includes(text[end - 1] as string)) end -= 1;
  return text.slice(0, end);
}
