import { personal, z, type Caller, type RecordReading } from '@casefile/contracts';
import { ReadingLog } from './reading-log.js';

const guarded = { method: 'get' as const, response: z.object({ text: personal(z.string()) }) };
const caseId = '0190a000-0000-7000-8000-000000000001';
const ann: Caller = { name: 'ann', proof: 'key', role: 'reviewer', scopes: [] };

function readingLog() {
  const readings: RecordReading[] = [];
  const clock = { now: () => clock.at, at: 0 };
  const log = new ReadingLog({ clock, record: { noteReading: async (one) => void readings.push(one) } });
  const read = (path: string, params: Record<string, string> = {}, caller = ann, route = guarded) =>
    log.note(route, { path, params }, caller);
  return { readings, clock, read, log };
}

describe('the log of readings', () => {
  it('S2-21 notes an item once a minute and a list once an hour, for each caller', async () => {
    const { readings, clock, read } = readingLog();
    const bob = { ...ann, name: 'bob' };
    for (let second = 0; second < 3_600; second += 10) {
      clock.at = second * 1_000;
      await read(`/cases/${caseId}`, { caseId });
      await read('/cases');
    }
    await read('/cases', {}, bob);
    expect(readings.filter(({ path }) => path !== '/cases')).toHaveLength(60);
    expect(readings[0]).toEqual({ by: 'ann', path: `/cases/${caseId}`, caseId });
    expect(readings.filter(({ path }) => path === '/cases')).toEqual([
      { by: 'ann', path: '/cases', caseId: null },
      { by: 'bob', path: '/cases', caseId: null },
    ]);
  });

  it('notes images and events, and neither acts, nor answers without guarded fields', async () => {
    const { readings, read } = readingLog();
    await read('/image', {}, ann, { ...guarded, response: 'image/*' } as never);
    await read('/events', {}, ann, { ...guarded, response: 'text/event-stream' } as never);
    await read('/act', {}, ann, { ...guarded, method: 'post' } as never);
    await read('/open', {}, ann, { ...guarded, response: z.object({ n: z.int() }) } as never);
    expect(readings.map(({ path }) => path)).toEqual(['/image', '/events']);
  });

  it('notes nothing of a caller who proved nothing, nor of a viewer, who gets no guarded field', async () => {
    const { readings, read } = readingLog();
    await read('/cases', {}, { ...ann, proof: 'none', name: '' });
    await read('/cases', {}, { ...ann, role: 'viewer' });
    await read('/cases', {}, { ...ann, role: null, scopes: ['intake'] });
    expect(readings).toEqual([]);
  });

  it('lets nothing be read without a note', async () => {
    const log = new ReadingLog({
      clock: { now: () => 0 },
      record: { noteReading: () => Promise.reject(new Error('no answer')) },
    });
    await expect(log.note(guarded, { path: '/cases', params: {} }, ann)).rejects.toThrow('no answer');
  });

  it('remembers a bounded number of addresses', async () => {
    const { readings, read } = readingLog();
    for (let i = 0; i <= 10_000; i += 1) await read(`/cases/${i}`, { caseId: String(i) });
    await read('/cases/10000', { caseId: '10000' });
    await read('/cases/0', { caseId: '0' });
    expect(readings).toHaveLength(10_002);
    expect(readings.every((one) => one.caseId === null)).toBe(true);
  });
});
