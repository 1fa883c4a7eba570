import { leftOut } from './outside-programs.mjs';

describe('specs that need a program in addition to Node', () => {
  it('are all run where the programs are', () => {
    expect(leftOut(() => true)).toEqual([]);
  });

  it('are left out by name where one cannot be had, with what would bring them back', () => {
    const out = leftOut(() => false);
    const filesFor = (name) => out.find((program) => program.name === name)?.files;
    expect(filesFor('chromium')).toEqual(
      expect.arrayContaining(['apps/e2e/src/browser/dashboard.spec.ts', 'apps/e2e/src/images.spec.ts']),
    );
    expect(filesFor('chromium')).not.toContain('apps/e2e/src/flow.spec.ts');
    expect(filesFor('prometheus-alertmanager')).toEqual([
      'apps/e2e/src/data-sources/real-servers.spec.ts',
      'apps/e2e/src/kinds/incident/whole/incident-attack.spec.ts',
      'apps/e2e/src/tutorials/alertmanager-to-slack.spec.ts',
      'apps/e2e/src/whole/alertmanager-silences.spec.ts',
      'apps/e2e/src/whole/alertmanager.spec.ts',
      'apps/e2e/src/whole/mcp-servers.spec.ts',
    ]);
    expect(filesFor('prometheus')).toEqual([
      'apps/e2e/src/data-sources/first-look-up.spec.ts',
      'apps/e2e/src/data-sources/real-servers.spec.ts',
      'apps/e2e/src/data-sources/whole/herrings.spec.ts',
      'apps/e2e/src/whole/mcp-servers.spec.ts',
      'apps/e2e/src/whole/monitoring.spec.ts',
    ]);
    expect(filesFor('redis-server')).toEqual(
      expect.arrayContaining(['apps/e2e/src/flow.spec.ts', 'libs/queue/src/redis-store.spec.ts']),
    );
    expect(filesFor('redis-server')).not.toContain('libs/store/src/testing/drift.spec.ts');
    expect(out.map(({ install }) => install)).toEqual(out.map(({ name }) => expect.stringContaining(name)));
  });
});
