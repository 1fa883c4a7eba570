import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '@casefile/contracts/testing';
import { IntakeClient } from '../client/intake-client.js';
import { startLocalCasefile } from '../testing/local-casefile.js';
import { sampleKey, readSamples, submitSamples } from './samples.js';

async function sampleFolder(): Promise<URL> {
  const folder = temporaryFolder('samples');
  await writeFile(
    join(folder, 'alerts.json'),
    JSON.stringify([{ text: 'one', labels: { lang: 'en' } }, { imageFile: 'shot.png' }]),
  );
  await writeFile(join(folder, 'shot.png'), Buffer.from([1]));
  await writeFile(
    join(folder, 'scam-reports.csv'),
    'entityType,entityValue,reportCount,riskScore\ndomain,a.example,3,50\n',
  );
  const pattern = { id: 'a', title: 'A', texts: { en: 'x' }, category: 'c', scamType: 's', redFlags: [] };
  await writeFile(join(folder, 'scam-patterns.json'), JSON.stringify([pattern]));
  await writeFile(join(folder, 'scam-patterns.vectors.json'), '{"model":"m","vectors":{}}');
  const bundle = { policy: 'rules', facts: [], criteria: [{ id: 'a', text: 'Is it?' }] };
  await writeFile(
    join(folder, 'incidents.json'),
    JSON.stringify([{ playbook: 'incident', text: 'disk full' }]),
  );
  await writeFile(
    join(folder, 'research.json'),
    JSON.stringify([{ playbook: 'research', payload: { query: 'Is it so?' } }]),
  );
  await mkdir(join(folder, 'runbooks'));
  await writeFile(join(folder, 'runbooks', 'disk.md'), '# Disk');
  const criterion = { id: 'a', status: 'MET', citations: [], facts: [] };
  await writeFile(
    join(folder, 'policy-cases.json'),
    JSON.stringify(
      ['pc-01', 'pc-03'].map((id) => ({ id, ...bundle, expected: { status: 'MET', criteria: [criterion] } })),
    ),
  );
  return pathToFileURL(`${folder}/`);
}

describe('samples', () => {
  it('are labelled, with their images and scam reports', async () => {
    const { alerts, lookedUp } = await readSamples(await sampleFolder());
    expect(alerts).toEqual([
      { text: 'one', labels: { lang: 'en', sample: 'bundled' } },
      { image: { mediaType: 'image/png', base64: 'AQ==' }, labels: { sample: 'bundled' } },
      {
        playbook: 'policy-check',
        payload: { policy: 'rules', facts: [], criteria: [{ id: 'a', text: 'Is it?' }] },
        labels: { kind: 'pc-01', sample: 'bundled' },
      },
      { playbook: 'incident', text: 'disk full', labels: { sample: 'bundled' } },
      { playbook: 'research', payload: { query: 'Is it so?' }, labels: { sample: 'bundled' } },
    ]);
    expect(lookedUp).toEqual({
      scamReports: { name: 'scam-reports.csv', text: expect.stringContaining('domain,a.example,3,50') },
      policies: [{ policyId: 'rules', path: expect.stringMatching(/policies\/rules\.md$/) }],
      runbooks: [
        { name: 'disk.md', bytes: Buffer.from('# Disk'), source: 'samples/runbooks/disk.md', address: null },
      ],
    });
  });

  it('are submitted each with a key that is the same at every start and its own', async () => {
    const { alerts } = await readSamples(await sampleFolder());
    const again = await readSamples(await sampleFolder());
    expect(alerts.map(sampleKey)).toEqual(again.alerts.map(sampleKey));
    expect(new Set(alerts.map(sampleKey)).size).toBe(alerts.length);
    const local = await startLocalCasefile();
    await submitSamples(new IntakeClient(local.url), alerts.slice(0, 1));
    expect(local.submitted[0]).toMatchObject({ key: sampleKey(alerts[0] ?? {}), again: null });
    await submitSamples(new IntakeClient(local.url), alerts.slice(0, 1), true);
    expect(local.submitted[1]).toMatchObject({ key: sampleKey(alerts[0] ?? {}), again: 'key' });
    await local.close();
  });
});
