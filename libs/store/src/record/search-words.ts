/** Characters of a question that are read. */
const MOST_CHARACTERS = 500;
/** A question with more numbers is looked for by its parts alone. */
const MOST_NUMBERS = 5;
/** As the function `parts_of` of the database has it: what Postgres' parser would keep joined. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;
/** As the function `numbers_of` has it: 7 to 15 digits, with what separates them. */
const NUMBER = /[0-9](?:[ ().\-/]{0,3}[0-9]){6,14}/g;

/** A question for words, as values of a statement. */
export interface SearchWords {
  /** Each part of the question. */
  parts: string;
  /** The numbers of the question without their separators, as a tsquery of digits; null: it has none. */
  numbers: string | null;
  /** The question without its numbers. */
  rest: string;
}

/** Reads a question as the words of cases are kept: without punctuation, and a number also without its separators. */
export function searchWords(question: string): SearchWords {
  const read = question.slice(0, MOST_CHARACTERS);
  const numbers = [...read.matchAll(NUMBER)].map(([run]) => run.replace(/[^0-9]/g, '').replace(/^00/, ''));
  const isWhole = numbers.length > 0 && numbers.length <= MOST_NUMBERS;
  return {
    parts: read.replace(PUNCTUATION, ' '),
    numbers: isWhole ? numbers.map((digits) => `'${digits}':*`).join(' & ') : null,
    rest: read.replace(NUMBER, ' ').replace(PUNCTUATION, ' '),
  };
}
