import type { SearchWords } from '@casefile/contracts';
import type { Chore } from '@casefile/engine';

/** Events read in one transaction, those of about 200 cases, and transactions in one pass. */
const PAGE = 2_000;
const MOST_PAGES = 3;

/** Stores the words by which cases are found, off the path of a case. */
export class WordReader implements Chore {
  constructor(private readonly words: SearchWords) {}

  /** @returns true: there are more events, so the next pass follows after the usual interval. */
  async tick(signal: AbortSignal): Promise<boolean> {
    for (let page = 0; page < MOST_PAGES && !signal.aborted; page += 1)
      if ((await this.words.note(PAGE)) < PAGE) return false;
    return true;
  }
}
