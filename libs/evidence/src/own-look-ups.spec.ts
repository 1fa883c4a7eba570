import {
  CasefileError,
  noTelemetry,
  silentLogger,
  z,
  type PatternSearch,
  type Tool,
} from '@casefile/contracts';
import { manualClock } from '@casefile/contracts/testing';
import { createToolRunner } from './run-tool.js';
import { OWN_LOOK_UP } from './settings.js';
import { toolBox } from './tool-box.js';
import { someSettings } from './testing/settings.js';
import { createTools } from './tools/index.js';

const never = new AbortController().signal;
const baseUrl = 'http://127.0.0.1:1';
const keys = { exa: { baseUrl, apiKey: 'k' }, virusTotal: { baseUrl, apiKey: 'k' }, rdap: { baseUrl } };
const patterns = (locality: 'local' | 'remote'): PatternSearch => ({
  locality,
  search: () => Promise.reject(new Error('it is never called')),
});
const withEncoder = (locality: 'local' | 'remote', keysSet = keys) =>
  createTools(someSettings(keysSet), { patternSearch: patterns(locality) });

/** The tool with the same declarations, whose query fails as often as it is called. */
const failing = (tool: Tool, failure: () => Error): Tool => ({
  ...tool,
  args: z.object({}),
  limits: { ...tool.limits, attempts: 1 },
  run: () => Promise.reject(failure()),
});

const OUTAGES = ['timeout', 'server_error', 'network', 'bad_answer', 'rate_limited'] as const;

describe.each(withEncoder('local').map((tool) => [tool.name, tool] as const))('S1-15 %s', (name, tool) => {
  it.each(OUTAGES)('has a circuit only if it reads something outside: %s', async (code) => {
    const broken = failing(tool, () => new CasefileError(code, 'no answer', { retryable: true }));
    const ports = {
      tools: toolBox([broken]),
      clock: manualClock(),
      log: silentLogger,
      telemetry: noTelemetry,
    };
    const runner = createToolRunner(ports);
    const codes: (string | null)[] = [];
    for (let i = 0; i < 8; i += 1) codes.push((await runner.run(name, {}, never)).reasonCode);
    const isOutside = tool.reads === 'outside';
    expect(codes.includes('circuit_open')).toBe(isOutside);
    expect(runner.circuits()).toEqual(isOutside ? { [name]: 'open' } : {});
  });

  it('waits for its own database or code far longer than a provider is given', () => {
    if (tool.reads !== 'outside') expect(tool.limits.timeoutMs).toBe(OWN_LOOK_UP.timeoutMs);
    else expect(tool.limits.timeoutMs).toBeLessThan(OWN_LOOK_UP.timeoutMs);
  });

  it('is a job of its own only if it calls another computer', () => {
    // This tool may ask a model to lead its search.
    if (!['outside', 'web'].includes(tool.reads) && name !== 'pi_search') expect(tool.locality).toBe('local');
  });
});

describe('the search over scam patterns', () => {
  const named = (tools: Tool[]) => tools.find(({ name }) => name === 'find_similar_scams')!;

  it('is outside if the encoder is a server, and then nothing is sent before a message asks', () => {
    expect(named(withEncoder('local')).reads).toBe('database');
    expect(named(withEncoder('remote'))).toMatchObject({ reads: 'outside', locality: 'remote' });
    expect(named(withEncoder('remote')).warm).toBeUndefined();
  });

  it('loads its encoder and patterns before the first message', async () => {
    const asked: unknown[] = [];
    const search: PatternSearch['search'] = async (question) => {
      asked.push(question);
      return {
        matches: [],
        patterns: 0,
        revision: 1,
        model: 'm',
        lookedUpBy: 'words',
        levels: { highFrom: 1, mediumFrom: 1 },
      };
    };
    const tool = named(createTools(someSettings(), { patternSearch: { locality: 'local', search } }));
    await tool.warm?.(never);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ language: 'en' });
  });
});
