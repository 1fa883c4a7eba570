import { aVerdict } from '../testing/store-bench.js';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const DAY_MS = 86_400_000;

async function decidedCase(): Promise<string> {
  const { bench, store } = at();
  const { caseId, runId } = await bench.accept();
  await bench.decide(runId, { body: aVerdict('block') });
  await store.database.rows('update deliveries set delivered_at = now()');
  return caseId;
}

const classesOf = async (caseId: string) =>
  (await at().store.erasures.ofCase(caseId)).map(({ classes, by }) => `${by}: ${classes.join()}`);

/** Goes through the whole record in pages of two cases. */
async function pass(days: Record<string, object>, afterDays: number): Promise<void> {
  const { erasures } = at().store;
  const now = Date.now() + afterDays * DAY_MS;
  const requestDue = (after: string | null) => erasures.requestDue({ days, now, after, limit: 2 });
  for (let after = await requestDue(null); after !== null;) after = await requestDue(after);
  await erasures.eraseNext(100, async () => undefined);
}

describe('retention', () => {
  it('erases each class when its days are over, once', async () => {
    const caseIds = [await decidedCase(), await decidedCase(), await decidedCase()];
    const days = { default: { prompts: 10, message: 20 } };
    await pass(days, 9);
    expect(await classesOf(caseIds[0] ?? '')).toEqual([]);
    await pass(days, 11);
    await pass(days, 12);
    for (const caseId of caseIds) expect(await classesOf(caseId)).toEqual(['retention: prompts']);
    await pass(days, 21);
    await pass(days, 22);
    for (const caseId of caseIds)
      expect(await classesOf(caseId)).toEqual(['retention: prompts', 'retention: message']);
  });

  it('goes by the entry of the kind, and keeps kinds without days', async () => {
    const caseId = await decidedCase();
    await pass({ default: { message: 1 }, 'scam-verdict': { images: 50 } }, 40);
    await pass({ incident: { message: 1 } }, 40);
    expect(await classesOf(caseId)).toEqual([]);
  });

  it('requests a case with open work once', async () => {
    const { bench, store } = at();
    const { caseId } = await bench.accept();
    await pass({ default: { message: 1 } }, 2);
    await pass({ default: { message: 1 } }, 2);
    const requests = await store.erasures.list(10);
    expect(requests).toMatchObject([{ total: 1, blocked: 1, erased: 0 }]);
    expect(await classesOf(caseId)).toEqual([]);
  });
});
