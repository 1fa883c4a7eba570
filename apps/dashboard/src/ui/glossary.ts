/** Words of the console that the glossary explains. A spec compares them with the page. */
export const GLOSSARY_WORDS = [
  'answer',
  'confidence',
  'disposition',
  'flipped',
  'gap',
  'lane',
  'parked',
  'quarantined',
  'stopped',
] as const;

/** Returns the address of a word's entry in the glossary; null: it has none. */
export function glossaryHref(word: string): string | null {
  const term = GLOSSARY_WORDS.find((one) => one === word.toLowerCase());
  return term === undefined ? null : `/docs/reference/glossary#${term}`;
}
