/** Words that do not show the topic of a text. */
const STOP_WORDS = new Set(
  'about above after against also although any are because been before being below between both but can cannot could did does each either enough every for from had has have her here him his how into its itself may more most must nor not off once only other our out over own same shall she should since some such than that the their them then there these they this those through under unless until upon very was were what when where whether which while who whose why will with within without would you your'.split(
    ' ',
  ),
);
const SHORTEST = 3;
/** Length of a stem: `reported` and `reporting` are one word, `police` and `policy` are two. */
const STEM = 6;

/** Returns the words that show the topic of a text, in order and without repetition. */
export function contentWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length >= SHORTEST && !STOP_WORDS.has(word));
}

/** Returns a word without its ending, as far as rules can determine the ending. */
export function wordStem(word: string): string {
  const bare =
    word.length > 4 ? word.replace(/(?:ies|ied)$/, 'y').replace(/(?:ings?|ed|es|s|ly|e)$/, '') : word;
  return bare.slice(0, STEM);
}

/** Returns the stems of a text's content words. */
export function textStems(text: string): Set<string> {
  return new Set(contentWords(text).map(wordStem));
}

/** Returns the number of stems that two texts share. */
export function countShared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  return [...one].filter((stem) => other.has(stem)).length;
}
