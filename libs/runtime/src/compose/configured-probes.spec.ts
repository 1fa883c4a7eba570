import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '@casefile/contracts';
import { kinds } from '@casefile/shipped/loaded';
import { manualClock } from '@casefile/contracts/testing';
import { readConfig } from '../config/read-config.js';
import { simulatorVariables, wantsSimulator, withSimulatorAt } from '../config/simulator-config.js';
import { probeConfigured } from './configured-probes.js';

const probesOf = (config: Parameters<typeof probeConfigured>[0]) =>
  probeConfigured(config, manualClock(), silentLogger);

describe('the probes of the configured models', () => {
  it('ask each model once, keep what came, and never fail a caller', async () => {
    const asked: string[] = [];
    const server = createServer(({ url = '' }, response) => {
      asked.push(url);
      response.writeHead(401).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
    const config = readConfig({ LLM_PROVIDER: 'ollama', LLM_BASE_URL: baseUrl }, kinds);
    const { provider } = config;
    const probes = probesOf({
      ...config,
      playbookProviders: { 'policy-check': provider, 'scam-verdict': null },
    });
    expect(probes.found()).toEqual([]);
    const all = await probes.all;
    server.close();
    expect(all).toEqual([
      expect.objectContaining({ provider: 'ollama', answers: false, why: 'key refused (HTTP 401)' }),
    ]);
    expect(probes.found()).toEqual(all);
    expect(asked).toEqual(['/v1/models']);
  });

  it('ask nothing where the setting says so, or where there is no model', async () => {
    const config = readConfig({ LLM_PROVIDER: 'ollama' }, kinds);
    const calls = { ...config.settings.calls, probeAtStart: false };
    const off = { ...config, settings: { ...config.settings, calls } };
    expect(await probesOf(off).all).toEqual([]);
    expect(await probesOf(readConfig({ LLM_PROVIDER: 'none' }, kinds)).all).toEqual([]);
  });
});

describe('the simulator that is started with the rest', () => {
  const env = { LLM_PROVIDER: 'simulator' };

  it('is wanted unless one runs elsewhere', () => {
    expect(wantsSimulator(readConfig(env, kinds))).toBe(true);
    expect(wantsSimulator(readConfig({ ...env, LLM_BASE_URL: 'http://127.0.0.1:3009/v1' }, kinds))).toBe(
      false,
    );
    expect(wantsSimulator(readConfig({ ...env, SIMULATOR_BASE_URL: 'http://sim.example/v1' }, kinds))).toBe(
      false,
    );
    expect(wantsSimulator(readConfig({ LLM_PROVIDER: 'none' }, kinds))).toBe(false);
  });

  it('is where it was started, for runs of every playbook and for child processes', () => {
    const config = withSimulatorAt(readConfig(env, kinds), 'http://127.0.0.1:4711/v1');
    expect(config.provider?.entry.baseUrl).toBe('http://127.0.0.1:4711/v1');
    expect(config.providerNamed('simulator', 'm')?.entry).toMatchObject({
      model: 'm',
      baseUrl: 'http://127.0.0.1:4711/v1',
    });
    expect(config.providerNamed('ollama')?.entry.baseUrl).not.toContain('4711');
    expect(simulatorVariables(config)).toEqual({ SIMULATOR_BASE_URL: 'http://127.0.0.1:4711/v1' });
  });
});
