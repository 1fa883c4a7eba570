import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { RUNBOOKS_IMPORT } from '@casefile/contracts';
import { manualClock, temporaryFolder } from '@casefile/contracts/testing';
import { testRecord } from '@casefile/store/testing';
import { sourceOnDisk } from '../import-source.js';
import { prepareImport, type ImportPorts } from '../importer.js';
import { openKnowledge, type Knowledge } from '../knowledge.js';
import { silentPorts } from '../testing/fake-ports.js';
import { runbookImporter } from './runbook-importer.js';

/** As the public collection for Prometheus has them: the title is other words than the name of the alert. */
const collection = (alert: string, title: string) =>
  `---\ntitle: ${title}\nweight: 20\n---\n\n# ${alert}\n\n## Meaning\n\nWhat it means.\n\n## Diagnosis\n\n1. Look.\n`;
const FILES = {
  'kubernetes/_index.md': '---\ntitle: kubernetes\nbookFlatSection: true\n---\n',
  'kubernetes/KubeJobFailed.md': collection('KubeJobFailed', 'Kube Job Failed'),
  'kubernetes/KubePodCrashLooping.md': collection('KubePodCrashLooping', 'Kube Pod Crash Looping'),
  'README.md': '# How we write runbooks\n\nLike this.',
  'disk.md': '---\nalerts: [DiskFull, DiskSlow]\nlabels: { team: storage }\n---\n# Disk\n',
};

describe('S2-41 runbooks that are imported', () => {
  const folder = temporaryFolder('runbooks');
  const record = testRecord();
  let knowledge: Knowledge;
  let said: string[];
  const news = {
    result: (line: string) => said.push(line),
    failure: (line: string) => said.push(`failure: ${line}`),
    note: (line: string) => said.push(`note: ${line}`),
    progress: () => ({ to: () => undefined, end: () => undefined }),
  };
  let isWhole: boolean;

  beforeAll(() => {
    for (const [name, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
  });
  beforeEach(async () => {
    said = [];
    knowledge = openKnowledge(record().store.database, silentPorts());
    const put = prepareImport(runbookImporter, await sourceOnDisk(folder, RUNBOOKS_IMPORT), {});
    const { signal } = new AbortController();
    isWhole = await put({ knowledge, news, signal } as unknown as ImportPorts);
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('say for which alerts they are, and which are for none; a page of a folder is no error', () => {
    expect(isWhole).toBe(true);
    expect(said).toEqual([
      expect.stringMatching(/^new +readme {2}version 1$/),
      `note: ${join(folder, 'README.md')}: no alert leads to this runbook. Name the file as the alert is named, or give it \`alerts\` or \`labels\` in its front matter.`,
      expect.stringMatching(
        /disk {2}version 1, for alerts DiskFull, DiskSlow with team=storage; alerts disk$/,
      ),
      expect.stringMatching(/kubernetes-kubejobfailed {2}version 1, for alerts KubeJobFailed$/),
      expect.stringMatching(/kubernetes-kubepodcrashlooping {2}version 1, for alerts KubePodCrashLooping$/),
    ]);
  });

  it.each([
    [
      'by the last parts of an address that is not followed',
      'KubePodCrashLooping',
      'https://runbooks.prometheus-operator.dev/runbooks/kubernetes/kubepodcrashlooping',
      'url',
      'kubernetes-kubepodcrashlooping',
    ],
    ['by the name of the alert', 'KubeJobFailed', undefined, 'name', 'kubernetes-kubejobfailed'],
  ])('are found %s', async (_how, alertname, url, by, name) => {
    const question = {
      labels: { alertname, severity: 'warning', namespace: 'shop' },
      alertType: alertname,
      ...(url === undefined ? {} : { url }),
    };
    const context = { clock: manualClock(), signal: new AbortController().signal };
    const answer = await knowledge.runbooks.findRunbook(question, context);
    expect(answer).toMatchObject({ found: true, name, by });
  });
});
