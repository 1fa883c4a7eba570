import { randomBytes } from 'node:crypto';
import { aResult } from '../testing/store-bench.js';
import { testRecord } from '../testing/test-record.js';

const at = testRecord();
const text = (kilobytes: number): string => randomBytes(kilobytes * 500).toString('hex');

describe('storage of a model call', () => {
  it('keeps a call and its answer on one page, so that the answer touches no index', async () => {
    const { bench, store } = at();
    const pages = async () =>
      new Map(
        (
          await store.database.rows<{ id: string; page: string }>(
            `select id, split_part(ctid::text, ',', 1) as page from llm_interactions where step = 1`,
          )
        ).map(({ id, page }) => [id, page]),
      );
    // Enough calls for several pages.
    const leases = await Promise.all(
      Array.from({ length: 40 }, async () => (await bench.claim((await bench.accept()).runId)).lease),
    );
    const intents = leases.map((lease) => bench.intent(lease, { request: { messages: [text(40)] } }));
    for (const intent of intents) await store.interactions.intend(intent);
    const before = await pages();
    for (const [i, { interaction }] of intents.entries()) {
      const answer = { content: text(8), reasoningContent: text(8), response: { text: text(8) } };
      await store.interactions.intend(
        bench.intent(leases[i]!, { step: 2 }, [aResult(interaction.id, answer)]),
      );
    }
    expect(before.size).toBe(40);
    expect(await pages()).toEqual(before);
  });
});
