import { testDatabase } from '@casefile/store/testing';
import { SCHEMA_URL } from '@casefile/telemetry';
import { emptyQueue } from '../fault-run/empty-queue.js';
import { testRedis } from '../testing/redis-database.js';
import type { SentSpan } from '../trace/collector.js';
import { traceCases } from '../trace/trace-cases.js';
import { traceTree } from '../trace/trace-tree.js';

const STAGES = ['triage', 'collect', 'reason', 'critique', 'write', 'decide'];
const [CLIENT, CONSUMER] = [3, 5];

/** Names from a span up to its root. */
function pathOf(span: SentSpan | undefined, spans: SentSpan[]): string[] {
  if (span === undefined) return [];
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return [...pathOf(parent, spans), span.name];
}

describe.each(['Redis', 'Postgres'])('the trace of a case through five processes, queues on %s', (store) => {
  it('is one from intake to verdict, with the call of the model told by the GenAI conventions', async () => {
    const database = await testDatabase();
    const queueUrl = store === 'Redis' ? testRedis('trace') : database.url;
    if (store === 'Redis') await emptyQueue(queueUrl);
    const spans = await traceCases(database.url, queueUrl, 1);
    await database.drop();

    const decide = spans.find(({ name }) => name === 'stage decide');
    const own = spans.filter(({ traceId }) => traceId === decide?.traceId);
    expect(pathOf(decide, own).filter((name) => /^(accept|stage)/.test(name))).toEqual([
      'accept',
      ...STAGES.map((stage) => `stage ${stage}`),
    ]);
    expect(new Set(own.map(({ service }) => service))).toEqual(
      new Set(['ingest', 'evidence-collector', 'reasoner', 'critic-writer', 'decision']),
    );
    expect(traceTree(own, () => '').split('\n')).toContainEqual(expect.stringMatching(/^ +execute_tool /));
    const chat = own.find(({ name }) => name.startsWith('chat '));
    expect(pathOf(chat, own).at(-2)).toBe('stage reason');
    expect(chat).toMatchObject({
      kind: CLIENT,
      schemaUrl: SCHEMA_URL,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'simulator',
        'gen_ai.request.model': expect.any(String),
        'gen_ai.request.max_tokens': expect.any(Number),
        'gen_ai.response.model': expect.any(String),
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.usage.input_tokens': expect.any(Number),
        'gen_ai.usage.output_tokens': expect.any(Number),
        'casefile.prompt_id': expect.any(String),
        'gen_ai.prompt.name': expect.stringMatching(/^[\w-]+\/[\w-]+$/),
        'gen_ai.prompt.version': expect.stringMatching(/^\d+/),
      },
    });
    // BullMQ's housekeeping and the probes of services have no spans.
    const names = spans.map(({ name }) => name);
    expect(names.filter((name) => /stalled|getNextJob|complete|^GET( \/health|$)/i.test(name))).toEqual([]);
    // What is asked and answered is on the record, and on no span unless somebody asked for that.
    expect(JSON.stringify(own.map(({ attributes }) => attributes))).not.toContain('parcel');
  }, 400_000);

  it('E-08 is as large for each of 12 cases that share jobs, and no job stands in the trace of a case', async () => {
    const database = await testDatabase();
    const queueUrl = store === 'Redis' ? testRedis('trace') : database.url;
    if (store === 'Redis') await emptyQueue(queueUrl);
    const spans = await traceCases(database.url, queueUrl, 12);
    await database.drop();

    const traces = spans.filter(({ name }) => name === 'accept').map(({ traceId }) => traceId);
    const sizes = traces.map((id) => spans.filter(({ traceId }) => traceId === id).length);
    expect(new Set(traces).size).toBe(12);
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(2);
    const jobs = spans.filter(({ kind, attributes }) => kind === CONSUMER && 'bullmq.job.id' in attributes);
    expect(jobs.length).toBeGreaterThan(0);
    expect(jobs.filter(({ traceId }) => traces.includes(traceId))).toEqual([]);
    // The first stage of each service links to the job that woke it.
    const reasons = spans.filter(({ name }) => name === 'stage reason');
    const ofJobs = new Set(jobs.map(({ traceId }) => traceId));
    expect(reasons.map(({ links }) => links.some((id) => ofJobs.has(id)))).toEqual(traces.map(() => true));
  }, 400_000);
});
