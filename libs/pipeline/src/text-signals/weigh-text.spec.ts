import { ENGAGE_FROM, ENGAGE_WEIGHT, SCAM_FROM, weighText } from './weigh-text.js';
import { signalsFound, type SignalsFound } from './signals-found.js';
import { evidenceOf, textSignals } from '../testing/scam-builders.js';

function found(kinds: string[], weight: number, score: number | null): SignalsFound {
  const item = textSignals(...kinds);
  const model = score === null ? null : { score, words: [] };
  const [read] = evidenceOf({
    ...item,
    result: { ...(item.result as object), weight, message_model: model },
  }).items;
  return signalsFound(read!)!;
}
const REPORTED = { levels: [], isReported: true };

describe('T-23 the weight of a text that asks for nothing yet', () => {
  it.each(['stranger', 'hook'])('is enough to probe for %s alone, however little it weighs', (kind) => {
    const { weight, confidence } = weighText(found([kind], 0.5, 0.4));
    expect(weight).toBe(SCAM_FROM);
    expect(confidence).toBeLessThan(ENGAGE_FROM);
  });

  it('is not enough to engage by the message model and a known pattern', () => {
    const known = { levels: ['HIGH'], isReported: false };
    expect(weighText(found(['stranger'], 2, 0.99), known).confidence).toBeLessThan(ENGAGE_FROM);
    expect(weighText(found(['stranger', 'asks_money'], 2, 0.99), known).confidence).toBeGreaterThan(
      ENGAGE_FROM,
    );
  });

  it('is enough to engage where what it names was reported', () => {
    expect(weighText(found(['stranger'], 2, 0.99), REPORTED).confidence).toBeGreaterThan(ENGAGE_FROM);
  });

  it('stays as it was for evidence of a release before the message model', () => {
    expect(weighText(found(['stranger'], 0.5, null)).weight).toBe(0.5);
  });
});

describe('T-22 the weight of the message model', () => {
  it('is enough to engage from the weight that explanations name', () => {
    const { confidence } = weighText(found(['asks_money', 'threat'], ENGAGE_WEIGHT, 0.4));
    expect([ENGAGE_WEIGHT, confidence]).toEqual([3.5, ENGAGE_FROM]);
  });

  it.each([
    [0.74, 1],
    [0.75, 1.5],
    [0.92, 2],
    [0.97, 3],
  ])('a score of %s makes 1 to %s', (score, weight) => {
    expect(weighText(found(['asks_money'], 1, score)).weight).toBe(weight);
  });
});

describe('T-22 the words of a long newsletter that only informs', () => {
  const mail = { weight: 0, asks: false, isConfirmed: false, isCalm: true, isDigest: true };

  it('weigh nothing, and those of a shorter mail or of a reported sender do', () => {
    const words = found(['asks_secret', 'lure'], 3, 0.99);
    expect(weighText(words, { levels: [], isReported: false, mail }).weight).toBe(0);
    expect(
      weighText(words, { levels: [], isReported: false, mail: { ...mail, isDigest: false } }).weight,
    ).toBe(3);
    expect(weighText(words, { levels: [], isReported: true, mail }).weight).toBeGreaterThanOrEqual(SCAM_FROM);
  });
});

describe('T-22 the weight of a receipt beside a request', () => {
  it('does not suffice to engage, unless what it names was reported', () => {
    const receipt = {
      ...found(['install', 'urges_click'], 4, 0.99),
      legitimacy: [{ kind: 'receipt_with_request', words: [], language: 'und' }],
    };
    expect(weighText(receipt).confidence).toBeLessThan(ENGAGE_FROM);
    expect(weighText(receipt, REPORTED).confidence).toBeGreaterThan(ENGAGE_FROM);
  });
});
