import { inlineWorld, type World } from '../../testing/world.js';

let world: World;
beforeAll(async () => void (world = await inlineWorld(null)));
afterAll(() => world.close());

/** Scams that share words with English or Hindi, or show signs that need no words. */
const SCAMS: [playbook: string, language: string, text: string][] = [
  [
    'message-screening',
    'de',
    'Sparkasse: Ihr pushTAN-Zugang laeuft morgen ab. Bitte aktualisieren Sie Ihre Daten: https://spk-pushtan.example/login',
  ],
  [
    'message-screening',
    'sv',
    'PostNord: ditt paket kan inte levereras. Betala 19 kr idag: http://postnord-se.example/pay',
  ],
  [
    'message-screening',
    'ja',
    '【Amazon】お支払い方法に問題があります。24時間以内に更新してください http://amazon-login.example/update',
  ],
  ['scam-verdict', 'sv', 'Nordea: din konto spärras i dag. Svara med din kod.'],
];

it.each(SCAMS)(
  'S1-17 S3-44 without a model, %s sends a scam in a language that the rules do not read to review: %s',
  async (playbook, _language, text) => {
    const { caseId } = await world.accept({ playbook, text });
    const { verdict } = (await world.ended(caseId)).runs[0]!;
    expect(verdict).toMatchObject({ disposition: 'review', method: 'heuristic', degraded: false });
    expect(verdict!.reasons.join(' ')).toMatch(/language that the rules do not read|was not judged/);
  },
);

it('S3-44 without a model, a harmless message in English is dismissed', async () => {
  const text = 'See you at the station at five, I bring the cake';
  const { caseId } = await world.accept({ playbook: 'message-screening', text });
  expect((await world.ended(caseId)).runs[0]!.verdict?.disposition).toBe('dismiss');
});
