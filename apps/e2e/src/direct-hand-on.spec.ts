import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LanguageModel, Nudge } from '@casefile/contracts';
import { temporaryFolder, until } from '@casefile/contracts/testing';
import { kinds } from '@casefile/shipped/loaded';
import { testDatabase } from '@casefile/store/testing';
import { instantModel } from './testing/instant-model.js';
import { realWorld, worldOn, type World } from './testing/world.js';

function directSettings(): Record<string, string> {
  const file = join(temporaryFolder('direct'), 'config.yaml');
  writeFileSync(file, 'handOn: direct\n');
  return { CASEFILE_CONFIG: file };
}

/** Wake-ups that a process sends. */
function sentBy({ platform: { queue } }: World): Nudge[] {
  const sent: Nudge[] = [];
  const nudge = queue.nudge.bind(queue);
  queue.nudge = (nudges) => {
    sent.push(...nudges);
    return nudge(nudges);
  };
  return sent;
}

it('goes from stage to stage without the queue where the settings say so, each step on the record', async () => {
  const world = await realWorld('inline', instantModel(), directSettings());
  const { intake, sweeper } = world.platform;
  // It wakes whatever has waited for long, which on a busy machine this may.
  await sweeper.stop();
  const sent = sentBy(world);
  try {
    const { caseId } = await intake.accept({ playbook: 'scam-verdict', text: 'pay me', collect: false });
    const [run] = (await world.ended(caseId)).runs;
    expect(sent).toEqual([]);
    expect(run?.artifacts.map(({ artifact }) => artifact)).toEqual([
      'brief',
      'evidence',
      'draft',
      'review',
      'report',
      'verdict',
    ]);
  } finally {
    await world.close();
  }
});

// Critique and write are stages of one service, so its worker continues without a wake-up.
it.each([
  ['another deployed version began: stage by stage', 'earlier', ['critique', 'write', 'decide']],
  ['its own version began: within a service without a wake-up', '', ['critique', 'decide']],
])('works a run that %s', async (_what, suffix, woken) => {
  const database = await testDatabase();
  const deployed = kinds.map((kind) => ({
    ...kind,
    playbook: { ...kind.playbook, version: `${kind.playbook.version}${suffix}` },
  }));
  let calls = 0;
  const silent: LanguageModel = {
    ...instantModel(),
    complete: (_request, { signal }) => {
      calls += 1;
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    },
  };
  const before = await worldOn(database.url, 'postgres', silent, {}, deployed);
  const alert = { playbook: 'scam-verdict', text: 'pay me', collect: false };
  const { caseId } = await before.platform.intake.accept(alert);
  try {
    await until('its model is asked', () => calls === 1);
  } finally {
    await before.close();
  }
  let listen: () => void = () => undefined;
  const listening = new Promise<void>((resolve) => (listen = resolve));
  const instant = instantModel();
  const delayed: LanguageModel = {
    ...instant,
    complete: (...call) => listening.then(() => instant.complete(...call)),
  };
  const now = await worldOn(database.url, 'postgres', delayed, {});
  try {
    const sent = sentBy(now);
    listen();
    const [run] = (await now.ended(caseId)).runs;
    const version = deployed.find(({ playbook }) => playbook.name === 'scam-verdict')?.playbook.version;
    expect(run).toMatchObject({ status: 'decided', settings: { playbookVersion: version } });
    const stages = sent.flatMap((one) => (one.kind === 'stage' ? [one.stage] : []));
    expect([...new Set(stages)].filter((stage) => stage !== 'reason')).toEqual(woken);
  } finally {
    await now.close();
    await database.drop();
  }
});
