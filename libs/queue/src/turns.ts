/** Lets so many pieces of work run at once; the others wait, in the order in which they came. */
export class Turns {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /**
   * @param limit how many at once.
   * @param changed told after each that came or ended.
   */
  constructor(
    private readonly limit: number,
    private readonly changed: () => void = () => undefined,
  ) {}

  /** How many run or wait. */
  get inHand(): number {
    return this.running + this.waiting.length;
  }

  /** Runs `work` when it is its turn; ends as it does. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const turn =
      this.running < this.limit ? null : new Promise<void>((resolve) => this.waiting.push(resolve));
    if (turn === null) this.running += 1;
    this.changed();
    // Whoever ends hands its place on: `running` stays as it is.
    if (turn !== null) await turn;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.running -= 1;
      else next();
      this.changed();
    }
  }
}
