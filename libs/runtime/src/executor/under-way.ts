/** Work of one process, as a log names it. */
export interface Work {
  stage: string;
  runId: string;
}

/** Knows what is worked on, and what was a moment ago: whoever finds the process blocked asks by what. */
export class UnderWay {
  private readonly now = new Set<Work>();
  private ended: Work[] = [];

  async during<T>(work: Work, run: () => Promise<T>): Promise<T> {
    this.now.add(work);
    try {
      return await run();
    } finally {
      this.now.delete(work);
      // Nobody may ever ask.
      if (this.ended.length < MOST_NAMED) this.ended.push(work);
    }
  }

  /** What is under way, or ended since this was last asked; so many at most. */
  take(): Work[] {
    const taken = [...this.now, ...this.ended].slice(0, MOST_NAMED);
    this.ended = [];
    return taken;
  }
}

const MOST_NAMED = 20;
