import { silentLogger } from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { dataSourceTools, definedTools } from '@casefile/evidence';
import { raw, startLocalService } from '@casefile/evidence/testing';
import { createBoundedProcesses } from '../bounded/bounded-processes.js';
import { readSourceFile } from './shipped-sources.js';

const FILE = `
name: logs
title: Logs
about: Log lines of a service, in this test alone.
kinds: [incident]
documentation: https://docs.example/logs
limits: { bytes: 52428800, rows: 3, timeoutMs: 120000 }
probe: { request: all }
requests:
  all:
    about: Reads all log lines of the service.
    get: /logs
    answer: { rows: lines, time: { at: at }, subject: '{pod}', text: '{text}' }
`;
const LINES = 60_000;

describe('T-61 a large answer of a data source', () => {
  it('is parsed in a process of its own: some lines stay, and the others are counted', async () => {
    const line = { at: '2026-01-05T10:00:00Z', pod: 'shop-1', text: `pool exhausted ${'x'.repeat(150)}` };
    const body = JSON.stringify({ lines: Array.from({ length: LINES }, () => line) });
    expect(body.length).toBeGreaterThan(10_000_000);
    const service = await startLocalService(raw(body, 200, { 'content-type': 'application/json' }));
    try {
      const source = readSourceFile(FILE);
      const placed = {
        name: 'logs',
        source,
        url: service.baseUrl,
        secret: null,
        scheme: 'bearer' as const,
        set: {},
      };
      const [tool] = definedTools(dataSourceTools(placed, createBoundedProcesses()), {}, { limits: {} });
      const signal = new AbortController().signal;
      const { result } = await tool!.run({}, { signal, clock: manualClock(), log: silentLogger });
      const lines = (result as { text: string }).text.split('\n');
      expect(lines).toHaveLength(4);
      expect(lines[0]).toMatch(/^2026-01-05T10:00:00Z shop-1 pool exhausted x+$/);
      expect(lines[3]).toBe('(the first 3 of 60000 rows)');
      service.answer(raw(`{"lines": ${body.slice(0, 1_000_000)}`, 200));
      await expect(tool!.run({}, { signal, clock: manualClock(), log: silentLogger })).rejects.toMatchObject({
        reasonCode: 'bad_answer',
      });
    } finally {
      await service.close();
    }
  });
});
