import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CasefileError,
  silentLogger,
  type AddedDataSource,
  type Installation,
  type Installations,
  type JsonObject,
  type Processes,
  type PromptVersions,
  type ProcessReport,
} from '@casefile/contracts';
import { kinds } from '@casefile/shipped/loaded';
import { countingIds, manualClock, temporaryFolder } from '@casefile/contracts/testing';
import { readConfig } from '../config/read-config.js';
import { describeInstallation, installationIn } from './describe-installation.js';
import { shippedSources } from '../data-sources/shipped-sources.js';
import { NO_ROLLOUT } from '../rollout/rollout-copy.js';
import { freezeSettings } from './freeze-settings.js';
import { Heartbeat } from './heartbeat.js';

const KEYS = { OPENAI_API_KEY: 'sk-planted-key', EXA_API_KEY: 'planted-exa-key' };
const MODEL = {
  LLM_PROVIDER: 'openai',
  LLM_MODEL: 'gpt-of-mine',
  OPENAI_BASE_URL: 'http://models.example/v1',
};

/** Returns a record with the ports that a heartbeat needs. */
function record() {
  const published: Installation[] = [];
  const reports: ProcessReport[] = [];
  const stopped: string[] = [];
  const sources: AddedDataSource[] = [];
  const installations: Installations = {
    publish: async (one) => void published.push(one),
  };
  const processes: Processes = {
    report: async (one) => void reports.push(one),
    stopped: async (id) => void stopped.push(id),
    list: async () => [],
  };
  const promptVersions = {
    install: async () => [],
    inUse: async () => [],
  } as unknown as PromptVersions;
  const store = { installations, processes, promptVersions };
  const settings = {
    current: NO_ROLLOUT.current,
    shared: () => ({
      rollout: NO_ROLLOUT.current(),
      dataSources: sources,
      destinations: [],
      installation: published.at(-1) ?? null,
    }),
  };
  return { store, settings, published, reports, stopped, sources };
}

const heartbeat = (services: string[], env: Record<string, string>, at: ReturnType<typeof record>) =>
  new Heartbeat(services, {
    config: readConfig(env, kinds),
    store: at.store,
    ids: countingIds(),
    clock: manualClock(),
    settings: at.settings,
    log: silentLogger,
    probes: { found: () => [] },
  });

describe('a heartbeat', () => {
  it('R16 reports once in 9 s, and not in between', async () => {
    jest.useFakeTimers();
    const at = record();
    const one = heartbeat(['critic-writer'], { LLM_PROVIDER: 'none' }, at);
    await one.start();
    await jest.advanceTimersByTimeAsync(90_500);
    await one.stop();
    jest.useRealTimers();
    expect(at.reports).toHaveLength(11);
  });
});

describe('the installation', () => {
  it('is published by the process that asks models, and read by one that has no keys', async () => {
    const at = record();
    const console_ = heartbeat(['console'], { LLM_PROVIDER: 'none' }, at);
    await console_.start();
    expect(console_.installation.latest()).toBeNull();
    expect(() => installationIn(console_.installation)).toThrow(CasefileError);
    await console_.stop();
    const reasoner = heartbeat(['reasoner'], { ...KEYS, ...MODEL }, at);
    await reasoner.start();
    await reasoner.stop();
    const later = heartbeat(['console'], { LLM_PROVIDER: 'none' }, at);
    await later.start();
    await later.stop();
    expect(installationIn(later.installation)).toMatchObject({
      provider: 'openai',
      model: 'gpt-of-mine',
      playbooks: { 'scam-verdict': { provider: 'openai', model: 'gpt-of-mine' } },
    });
    expect(at.published).toHaveLength(1);
    expect(at.stopped).toHaveLength(3);
    expect(
      at.reports.map(({ services, installationDigest }) => [services, installationDigest !== null]),
    ).toEqual([
      [['console'], false],
      [['reasoner'], true],
      [['console'], false],
    ]);
  });

  it('holds no key, no header and no address', () => {
    const path = join(temporaryFolder('config'), 'own.yaml');
    const servers = {
      cluster: {
        url: 'http://tools.example/mcp',
        headers: { Authorization: 'Bearer ${PLANTED}' },
        allow: ['get-logs'],
        kinds: ['incident'],
      },
    };
    writeFileSync(path, JSON.stringify({ mcp: { servers } }));
    const config = readConfig({ ...KEYS, ...MODEL, CASEFILE_CONFIG: path, PLANTED: 'planted-token' }, kinds);
    const text = JSON.stringify(describeInstallation(config));
    expect(text).toContain('get-logs');
    for (const secret of ['planted', 'Bearer', 'models.example', 'tools.example'])
      expect(text.replaceAll('plantedClaims', '')).not.toContain(secret);
  });

  it('has the same digests for processes with the same settings, and other ones for others', async () => {
    const at = record();
    const environments: Record<string, string>[] = [
      { LLM_PROVIDER: 'none' },
      { LLM_PROVIDER: 'none', HOST: '127.0.0.1', REASONER_PORT: '4000' },
      { ...KEYS, ...MODEL },
    ];
    for (const env of environments) {
      const one = heartbeat(['critic-writer'], env, at);
      await one.start();
      await one.stop();
    }
    const [first, second, third] = at.reports;
    expect(second).toMatchObject({
      settingsDigest: first?.settingsDigest,
      installationDigest: first?.installationDigest,
    });
    expect(third?.installationDigest).not.toBe(first?.installationDigest);
    expect(third?.settingsDigest).toBe(first?.settingsDigest);
  });

  it('T-61 offers runs the data sources that were added, and publishes none', async () => {
    const at = record();
    const reasoner = heartbeat(['reasoner'], { LLM_PROVIDER: 'none' }, at);
    await reasoner.start();
    expect(reasoner.installation.latest()?.toolServers).toEqual([]);
    const source = shippedSources().find(({ name }) => name === 'alertmanager')!;
    const definition = JSON.parse(JSON.stringify(source)) as JsonObject;
    const entry = {
      definition,
      url: 'http://am:9093',
      secret: null,
      scheme: 'bearer' as const,
      set: {},
      kinds: ['incident'],
    };
    const by = { changedBy: 'ann', changedAt: '2026-01-05T10:00:00.000Z', testRequestedAt: null };
    at.sources.push(
      { name: 'am', entry, ...by },
      { name: 'old', entry: { ...entry, definition: {} }, ...by },
    );
    const { toolServers } = reasoner.installation.latest()!;
    expect(toolServers).toMatchObject([{ name: 'am', allow: ['alerts', 'silences'], kinds: ['incident'] }]);
    expect(JSON.stringify(toolServers)).not.toContain('am:9093');
    const run = freezeSettings({ name: 'incident' }, reasoner.installation.latest()!, {
      playbook: 'incident',
      text: 'x',
    });
    expect(run.tools).toEqual(expect.arrayContaining(['am__alerts', 'am__silences']));
    await reasoner.stop();
    expect(at.published.flatMap((one) => one.toolServers)).toEqual([]);
  });
});
