import type { QualityFigures } from '@casefile/contracts';
import type { Chore } from '@casefile/engine';

/** Events read in one statement, and statements in one pass: a record of earlier releases is read step by step. */
const PAGE = 2_000;
const MOST_PAGES = 10;

/** Stores the figures of verdicts, so that views read neither artifacts nor interactions. */
export class FigureReader implements Chore {
  /** @param sampleShare share of the verdicts that act or dismiss which is drawn for a person, from 0 to 1 */
  constructor(
    private readonly figures: Pick<QualityFigures, 'note'>,
    private readonly sampleShare: number,
  ) {}

  async tick(signal: AbortSignal): Promise<boolean> {
    for (let page = 0; page < MOST_PAGES && !signal.aborted; page += 1)
      if ((await this.figures.note(PAGE, this.sampleShare)) < PAGE) return false;
    return true;
  }
}
