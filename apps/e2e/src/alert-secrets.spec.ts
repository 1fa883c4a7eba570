import { readSamples } from '@casefile/cli/up/samples';
import type { AlertInput, JsonObject } from '@casefile/contracts';
import { drawnSecret } from '@casefile/contracts/testing';
import { intakeAddresses, type Playbook } from '@casefile/pipeline';
import { playbooks } from '@casefile/shipped/loaded';
import { startingSet } from '@casefile/runtime';
import { testDatabase, type TestDatabase } from '@casefile/store/testing';
import { alertWith } from './testing/alert-with-text.js';
import { dumpTables, linesWith } from './testing/dump-stores.js';
import { worldOn, type World } from './testing/world.js';

/** Four secrets of a seed, and a text that contains them in their usual form. */
function planted(seed: number) {
  const [password, token, user] = [10, 36, 12].map((length, i) => drawnSecret(length, seed + i)) as [
    string,
    string,
    string,
  ];
  const key = `AKIA${drawnSecret(16, seed + 3).toUpperCase()}`;
  const [word, name] = [`p4${password}`, `w7${user}`];
  const text = `DB_PASSWORD=${word} ${key} ghp_${token} postgres://u:${name}@h.example/db`;
  return { secrets: [word, key, token, name], text };
}

describe('S2-48 secrets in alerts of every registered kind', () => {
  let database: TestDatabase;
  let world: World;
  let samples: JsonObject[];

  beforeAll(async () => {
    database = await testDatabase();
    world = await worldOn(database.url, 'postgres', null);
    await world.platform.knowledge.seed(await startingSet());
    const { alerts, lookedUp } = await readSamples();
    await world.platform.knowledge.seed(lookedUp);
    samples = alerts;
  }, 120_000);
  afterAll(async () => {
    await world.close();
    await database.drop();
  });

  const post = async (path: string, body: JsonObject) => {
    const response = await fetch(`${world.ingestUrl}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { caseId: string; joined?: boolean };
    expect([response.status < 300, answer]).toEqual([
      true,
      expect.objectContaining({ caseId: expect.any(String) }),
    ]);
    return answer;
  };
  const sampleOf = ({ name }: Playbook) => {
    const sample = samples.find(({ playbook }) => playbook === name);
    if (sample === undefined) throw new Error(`there is no sample of ${name}`);
    const { image: _, ...rest } = sample;
    return rest;
  };

  it.each(playbooks.map((kind, i) => [kind.name, kind, 1_000 * (i + 1)] as const))(
    'no table has a secret of an alert of %s, in any field',
    async (_name, kind, seed) => {
      const { secrets, text } = planted(seed);
      const { alert, places } = alertWith(kind, sampleOf(kind), text);
      expect(places.map(([field]) => field)).toEqual(expect.arrayContaining(['text', 'source', 'labels']));
      if ('payload' in alert) expect(places.map(([field]) => field)).toContain('payload');
      const { caseId } = await post('/v1/alerts', alert);
      const ids = [caseId];
      // The endpoint whose client may wait for the result.
      for (const { path } of intakeAddresses(kind.intake))
        ids.push((await post(path, alert['payload'] as JsonObject)).caseId);
      for (const id of ids) expect((await world.ended(id)).runs.length).toBeGreaterThan(0);
      const lines = await dumpTables(database.url);
      expect(linesWith(lines, caseId).length).toBeGreaterThan(3);
      expect(linesWith(lines, '[masked]').length).toBeGreaterThan(0);
      expect(secrets.flatMap((secret) => linesWith(lines, secret)).map((line) => line.slice(0, 300))).toEqual(
        [],
      );
    },
    120_000,
  );

  it.each(playbooks.map((kind, i) => [kind.name, kind, 90_000 + 1_000 * i] as const))(
    'an alert of %s joins a repeat, and not an alert with another secret in the same place',
    async (_name, kind, seed) => {
      const [first, other] = [planted(seed), planted(seed + 100)].map(
        ({ text }) => alertWith(kind, sampleOf(kind), text).alert,
      ) as [JsonObject, JsonObject];
      const { by } = kind.intake.repeats(first as AlertInput);
      const cases = [];
      for (const alert of [first, first, other]) cases.push((await post('/v1/alerts', alert)).caseId);
      const [one, repeat, another] = cases;
      expect(repeat === one).toBe(by !== 'key');
      expect(another).not.toBe(one);
    },
    120_000,
  );
});
