import { seededRandom } from '@casefile/contracts';

const VALID = { riskLevel: 'high', confidence: 85, explanation: 'Many reports [E1].', evidenceUsed: ['E1'] };
const FIELDS = [...Object.keys(VALID), '__proto__', 'constructor', 'mood'];
const ODD: unknown[] = [
  'HIGH',
  1e308,
  -0,
  '50',
  null,
  ['E1'],
  {},
  [],
  true,
  '',
  '\u0000',
  '\ud800',
  'x'.repeat(5_000),
];
const WRAPS = ['```json\n', '```', 'So: ', '<think>{}</think>', '[', '{"a":'];

/** Returns a generator of answers: valid ones, ones with odd values or pieces cut out, and arbitrary text. */
export function fuzzedAnswers(seed: number): () => string {
  const random = seededRandom(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const one = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  const noise = (most: number): string =>
    Array.from({ length: below(most) }, () =>
      String.fromCharCode(below(4) === 0 ? below(65_536) : 32 + below(95)),
    ).join('');
  const changed = (): string => {
    const fields = Array.from({ length: below(4) }, () => [one(FIELDS), one(ODD)] as const);
    return JSON.stringify({ ...VALID, ...Object.fromEntries(fields) });
  };
  const cut = (): string => {
    const json = changed();
    const at = below(json.length);
    return json.slice(0, at) + noise(8) + json.slice(at + below(20));
  };
  const kinds = [changed, cut, () => one(WRAPS) + changed(), () => one(WRAPS) + cut(), () => noise(300)];
  return () => one(kinds)();
}
