/** The second key of a sequence has to follow within this, in milliseconds. */
const WITHIN_MS = 1_200;

/** Tells single keys from the second of two. */
export class KeySequence {
  private first: { key: string; at: number } | null = null;

  /** The binding that `key` completes, at `at` milliseconds; null: none does. */
  press(key: string, at: number, bindings: readonly string[]): string | null {
    const first = this.first !== null && at - this.first.at <= WITHIN_MS ? this.first.key : null;
    this.first = null;
    const pair = `${first} ${key}`;
    if (first !== null && bindings.includes(pair)) return pair;
    if (bindings.some((it) => it.startsWith(`${key} `))) {
      this.first = { key, at };
      return null;
    }
    return bindings.includes(key) ? key : null;
  }
}
