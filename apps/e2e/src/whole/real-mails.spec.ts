import { realMails, type Mail } from '../testing/real-mails.js';
import { realWorld, type World } from '../testing/world.js';

/** A limit for what hangs: on a busy machine fifty long mails take minutes. */
const WITHIN_MS = 500_000;

/** An honest sweepstake that asks its winner for a social security number: in form and words a scam. */
const ASKS_FOR_A_NUMBER = 'hard-ham-1 00002';

describe('real mails', () => {
  let mails: Mail[];
  let world: World;
  beforeAll(async () => {
    mails = realMails(10);
    world = await realWorld('postgres', null);
  });
  afterAll(() => world.close());

  it(
    'each reaches a verdict, none is lost or stopped',
    async () => {
      expect(mails).toHaveLength(50);
      // Control characters are a matter of intake's own tests; these mails are what people were sent.
      const accepted = await Promise.all(
        mails.map((mail) =>
          world.accept({
            playbook: 'scam-verdict',
            text: mail.text.replaceAll('\u0000', ' '),
            source: mail.group,
          }),
        ),
      );
      // One after another: fifty that look at once are a load of their own.
      const verdicts: unknown[] = [];
      for (const { caseId } of accepted) {
        const found = await world.ended(caseId, WITHIN_MS);
        verdicts.push(found.runs[0]?.verdict?.outcome['riskLevel']);
      }
      const levels = ['low', 'medium', 'high', 'unconfirmed'];
      expect(verdicts.filter((level) => !levels.includes(String(level)))).toEqual([]);
      expect(new Set(accepted.map(({ caseId }) => caseId)).size).toBe(50);
    },
    WITHIN_MS + 60_000,
  );

  it(
    'S3-44 by the rules no ham is engaged, nor acted on by scam-verdict, but one that asks for a number to claim a prize',
    async () => {
      const ham = mails.filter(({ group }) => group.includes('ham'));
      const actedOn = new Set<string>();
      const methods = new Set<unknown>();
      for (const playbook of ['message-screening', 'scam-verdict'])
        for (const { id, group, text } of ham) {
          const alert = { playbook, text: text.replaceAll('\u0000', ' ') };
          const { caseId } = await world.accept(alert);
          const verdict = (await world.ended(caseId, WITHIN_MS)).runs[0]?.verdict;
          methods.add(verdict?.method);
          if (verdict?.disposition === 'act') actedOn.add(`${group} ${id}`);
        }
      expect([...methods]).toEqual(['heuristic']);
      expect([...actedOn]).toEqual([ASKS_FOR_A_NUMBER]);
    },
    WITHIN_MS + 60_000,
  );
});
