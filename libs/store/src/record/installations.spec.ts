import type { Installation, ProcessReport } from '@casefile/contracts';
import { aRunSettings } from '@casefile/contracts/testing';
import { testRecord } from '../testing/test-record.js';

const HOUR_MS = 3_600_000;
const anInstallation = (model: string): Installation => ({
  version: '1.0.0',
  provider: 'openai',
  model,
  playbooks: { 'scam-verdict': aRunSettings({ provider: 'openai', model }) },
  providers: [{ name: 'openai', model, prices: { '*': { input: 1, output: 2 } }, priceList: 'openai' }],
  toolServers: [],
});

const at = testRecord();

describe('the installation and its processes', () => {
  it('returns the installation that was published last, also when an earlier one is published again', async () => {
    const { installations, settings } = at().store;
    const current = async () => (await settings.read()).installation;
    expect(await current()).toBeNull();
    await installations.publish(anInstallation('first'));
    await installations.publish(anInstallation('second'));
    await installations.publish(anInstallation('second'));
    expect(await current()).toEqual(anInstallation('second'));
    await installations.publish(anInstallation('first'));
    expect(await current()).toEqual(anInstallation('first'));
  });

  it('knows when each process was heard last, when its settings changed, and which stopped in order', async () => {
    const { store, passTime } = at();
    const report = (n: number, over: Partial<ProcessReport> = {}): ProcessReport => ({
      id: `00000000-0000-7000-8000-00000000000${n}`,
      services: ['reasoner'],
      version: '1.0.0',
      host: 'host-a',
      pid: n,
      settingsDigest: 'a',
      installationDigest: null,
      probes: [],
      rolloutAgeMs: 400,
      ...over,
    });
    await store.processes.report(report(1));
    await store.processes.report(report(2, { services: ['ingest', 'console'], installationDigest: 'x' }));
    const [second, first] = await store.processes.list();
    expect([first, second]).toEqual([
      expect.objectContaining({ pid: 1, installationDigest: null, rolloutAgeMs: 400, stoppedAt: null }),
      expect.objectContaining({ services: ['ingest', 'console'], installationDigest: 'x' }),
    ]);
    await passTime(2 * HOUR_MS);
    await store.processes.report(report(1, { settingsDigest: 'b', rolloutAgeMs: 11_000 }));
    await store.processes.stopped(report(2).id);
    const later = new Map((await store.processes.list()).map((one) => [one.pid, one]));
    expect(later.get(1)?.rolloutAgeMs).toBe(11_000);
    expect(later.get(1)?.silentMs).toBeLessThan(HOUR_MS);
    expect(later.get(1)?.changedAt).toBe(later.get(1)?.seenAt);
    expect(later.get(2)!.changedAt < later.get(2)!.seenAt).toBe(true);
    expect(later.get(2)?.stoppedAt).not.toBeNull();
    await passTime(3 * HOUR_MS);
    const silent = (await store.processes.list()).map(({ silentMs }) => Math.floor(silentMs / HOUR_MS));
    expect(silent).toEqual([3, 3]);
  });

  it('forgets processes that have been silent for a week', async () => {
    const { store, passTime } = at();
    const report = {
      services: [],
      version: '1',
      host: 'h',
      pid: 1,
      settingsDigest: '',
      probes: [],
      rolloutAgeMs: null,
    };
    const ids = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'];
    await store.processes.report({ ...report, id: ids[0]!, installationDigest: null });
    await passTime(8 * 24 * HOUR_MS);
    await store.processes.report({ ...report, id: ids[1]!, installationDigest: null });
    expect((await store.processes.list()).map(({ id }) => id)).toEqual([ids[1]]);
  });
});
