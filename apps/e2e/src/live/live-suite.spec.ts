import { readdirSync, readFileSync } from 'node:fs';
import { temporaryFolder } from '@casefile/contracts/testing';
import { readProviderTable, resolveProvider } from '@casefile/llm';
import { startSimulator, type Simulator } from '@casefile/llm-simulator/simulator';
import { playbooks } from '@casefile/shipped/loaded';
import { LIVE_CASES } from './live-cases.js';
import { keepResult, liveTable, runLiveSuite, type LiveResult } from './run-live-suite.js';

const folder = () => temporaryFolder('live');

describe('S1-61 S1-63 the live suite itself, held by the simulator', () => {
  let simulator: Simulator;
  let result: LiveResult;
  const run = (cases = LIVE_CASES) => {
    const choice = { table: readProviderTable(), name: 'simulator', env: {}, baseUrl: simulator.baseUrl };
    const env = {
      EMBEDDINGS_URL: `${simulator.origin}/v1`,
      EMBEDDINGS_MODEL: 'simulated',
    };
    return runLiveSuite(resolveProvider(choice), env, cases);
  };
  beforeAll(async () => {
    simulator = await startSimulator();
    result = await run();
  }, 400_000);
  afterAll(() => simulator.close());

  it('T-30 covers every playbook: strong, weak, conflicting and no evidence, Hindi, tool calls', () => {
    const names = (playbook: string) =>
      result.rows
        .filter((row) => row.playbook === playbook)
        .map(({ name }) => name)
        .join(', ');
    for (const word of ['strong', 'weak', 'conflicting', 'no evidence', 'Hindi'])
      expect(names('scam-verdict')).toContain(word);
    for (const word of ['English', 'Hindi', 'romanised Hindi', 'without patterns', 'harmless'])
      expect(names('message-screening')).toContain(word);
    for (const playbook of ['policy-check', 'incident', 'research'])
      for (const word of ['strong', 'weak', 'conflicting', 'none']) expect(names(playbook)).toContain(word);
    for (const word of ['Chinese', 'English']) expect(names('research')).toContain(word);
    expect([...new Set(result.rows.map(({ playbook }) => playbook))].sort()).toEqual(
      playbooks.map(({ name }) => name).sort(),
    );
    expect(result.rows).toHaveLength(LIVE_CASES.length);
  });

  it('has every case judged by the model, checks with calls of tools, and counts what that took', () => {
    for (const row of result.rows) {
      expect([row.name, row.method]).toEqual([row.name, 'llm']);
      expect(row.modelCalls).toBeGreaterThan(0);
      expect(row.tokens).toBeGreaterThan(0);
      if (row.playbook === 'policy-check') expect(row.toolCalls).toBeGreaterThan(1);
    }
  });

  it('writes a table by playbook, with date, provider and model, and keeps none of a simulator', () => {
    const page = liveTable(result);
    expect(page).toMatch(/^# simulator, casefile-simulator, \d{4}-\d\d-\d\d\n/);
    for (const { name } of LIVE_CASES) expect(page).toContain(`| ${name} |`);
    const path = folder();
    expect(keepResult(result, path)).toBeNull();
    // Nor under another name: the answers themselves say who made them.
    expect(keepResult({ ...result, provider: 'openai', model: 'gpt' }, path)).toBeNull();
    expect(readdirSync(path)).toEqual([]);
  });

  it('keeps the table of a real provider', () => {
    const real = { ...result, provider: 'openai', model: 'openai/gpt-x', served: ['gpt-x-2026-01-01'] };
    const kept = keepResult(real, folder());
    expect(kept).toMatch(/\d{4}-\d\d-\d\d-openai-openai-gpt-x\.md$/);
    expect(readFileSync(kept!, 'utf8')).toBe(liveTable(real));
  });

  it('fails a model that answers nothing usable, and says why', async () => {
    simulator.setScript({ then: { kind: 'answer', content: 'I cannot say.' } });
    const { rows } = await run([LIVE_CASES[0]!]);
    simulator.reset();
    expect(rows[0]?.problems).toContain('judged by heuristic, not by the model');
  });

  it('fails a verdict that no person would accept', async () => {
    const low = '{"riskLevel":"low","confidence":90,"explanation":"Fine.","evidenceUsed":[]}';
    simulator.setScript({ then: { kind: 'answer', content: low } });
    const { rows } = await run([LIVE_CASES[0]!]);
    simulator.reset();
    expect(rows[0]?.problems).toEqual(['unconfirmed, expected high']);
  });
});
