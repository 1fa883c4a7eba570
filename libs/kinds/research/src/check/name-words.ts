import lists from './name-words.json' with { type: 'json' };

// Names joined by `=` are synonyms, so one supports the other.
const groups = (lines: readonly string[]): readonly (readonly string[])[] =>
  lines.map((line) => line.split('='));

/** Institutions in the news of Taiwan. */
export const ORGANISATIONS = groups(lists.organisations);
export const PLACES = groups(lists.places);
export const COUNTRIES = groups(lists.countries);
/** Synonyms in other languages, and abbreviations. */
export const SAME_NAMES = groups(lists.same);
/** Titles next to the name of a person. */
export const TITLES: readonly string[] = lists.titles;
export const SURNAMES = lists.surnames;
/** Characters that follow a name and are not part of it. */
export const VERBS = lists.verbs;
/** Characters that may follow a name or be its last character. */
export const EITHER = lists.either;
/** Words with which English sentences begin, none of them a name. */
export const STARTERS: ReadonlySet<string> = new Set(lists.starters.split(' '));
/** Words that begin with a family name but are not names. */
export const NO_PERSONS: ReadonlySet<string> = new Set(lists.noPersons.split(' '));
