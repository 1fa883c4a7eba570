import type { Embedder } from '@casefile/contracts';

const cosine = (a: number[], b: number[]) => {
  const product = a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
  return product / (Math.hypot(...a) * Math.hypot(...b));
};
const signal = new AbortController().signal;

/** Checks that an embedder fulfils the contract of its port. */
export function describeEmbedder(
  name: string,
  make: () => Promise<{ embedder: Embedder; close(): Promise<void> }>,
): void {
  describe(`S3-10 ${name} is an Embedder`, () => {
    let made: Awaited<ReturnType<typeof make>>;
    beforeAll(async () => void (made = await make()));
    afterAll(() => made.close());

    it('S3-12 says which model it is, what it reads, and weighs to 1', () => {
      const { model, languages, weights } = made.embedder;
      expect(model).not.toBe('');
      expect(languages === null || languages.length > 0).toBe(true);
      expect(weights.vector + weights.words).toBeCloseTo(1);
      expect(weights.vector).toBeGreaterThan(0);
    });

    it('S3-10 gives one vector for each text, in their order, of one dimension and of numbers', async () => {
      const texts = [
        'Your parcel is held at customs',
        'Your parcel is held at customs',
        'x',
        '👍',
        'a'.repeat(2048),
      ];
      const vectors = await made.embedder.embed(texts, signal);
      expect(vectors).toHaveLength(5);
      expect(new Set(vectors.map((vector) => vector.length)).size).toBe(1);
      expect(vectors.flat().every(Number.isFinite)).toBe(true);
      expect(cosine(vectors[0]!, vectors[1]!)).toBeCloseTo(1, 4);
      const [again] = await made.embedder.embed([texts[0]!], signal);
      expect(cosine(again!, vectors[0]!)).toBeCloseTo(1, 4);
    });

    it('S3-10 puts texts about one thing nearer to each other than to another', async () => {
      const [bank, alike, lunch] = await made.embedder.embed(
        [
          'Your bank account is blocked, verify your account now',
          'Verify your bank account now or it is blocked',
          'See you for lunch tomorrow at noon',
        ],
        signal,
      );
      expect(cosine(bank!, alike!)).toBeGreaterThan(cosine(bank!, lunch!) + 0.2);
    });

    it('has nothing to do for no text, and is called off by its signal', async () => {
      expect(await made.embedder.embed([], signal)).toEqual([]);
      await expect(made.embedder.embed(['x'], AbortSignal.abort())).rejects.toMatchObject({
        reasonCode: 'aborted',
      });
    });
  });
}
