/**
 * The rules by which a playbook reads its input: the shapes of search results, the language of a question, the ends of sentences.
 * A run is frozen with the newest version, and a replay reads the same input by the version of its run. 1: the rules of the first
 * releases. 2: results in the shapes of more senders, language by script, sentences with ordinals and abbreviations. 3: the country
 * of a phone number by the sender and the language of the text; attachments of mails.
 */
export type InputReading = 1 | 2 | 3;
export const INPUT_READING = 3 satisfies InputReading;

/** Returns the reading that a run was frozen with. Default: 1. */
export function inputReadingOf({ inputReading }: { inputReading?: InputReading | undefined }): InputReading {
  return inputReading ?? 1;
}
