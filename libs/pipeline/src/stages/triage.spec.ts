import fc from 'fast-check';
import { alertSchema, briefSchema, type Brief } from '@casefile/contracts';
import { evidenceLine } from '../playbooks/scam-verdict/evidence-line.js';
import { scamVerdict } from '../playbooks/scam-verdict/index.js';
import { fakePorts } from '../testing/fake-ports.js';
import { triage } from './triage.js';

/** No schema keeps a key of this name. */
const isKept = (name: string) => name !== '__proto__';
/** Names that every object answers to without having them. */
const MEMBERS = Object.getOwnPropertyNames(Object.prototype).filter(isKept);

async function briefOf(entities: Record<string, string[]>): Promise<Brief> {
  const alert = {
    id: 'a',
    playbook: 'scam-verdict',
    text: 'call me',
    receivedAt: '2026-01-05T10:00:00Z',
    entities,
  };
  const ports = fakePorts({ playbook: scamVerdict });
  const outcome = await triage.run({ alert, artifacts: {}, previous: {}, units: [] }, ports);
  if (outcome.kind !== 'done') throw new Error(`no brief: ${outcome.kind}`);
  return briefSchema.parse(outcome.artifact);
}

describe('triage', () => {
  it('E-05 takes entity types that are named like members of Object, and keeps their values', async () => {
    const types = fc.oneof(fc.constantFrom(...MEMBERS), fc.stringMatching(/^[a-z_]{1,12}$/).filter(isKept));
    const values = fc.array(fc.stringMatching(/^[a-z0-9]{1,9}$/), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.dictionary(types, values, { maxKeys: 5 }), async (entities) => {
        const brief = await briefOf(entities);
        for (const [type, given] of Object.entries(entities))
          expect(brief.entities[type]).toEqual([...new Set(given)]);
      }),
      { numRuns: 60 },
    );
    for (const name of MEMBERS) expect((await briefOf({ [name]: ['b'] })).entities[name]).toEqual(['b']);
  });
});

describe('evidence that upstream hands in', () => {
  it('E-10 is marked as given, and its source never reads like a look-up of ours', async () => {
    const given = [
      { toolName: 'scam_db', source: 'table scam_reports', result: { found: false } },
      { toolName: 'own_tool', result: 1, given: false },
    ];
    const alert = alertSchema.parse({
      id: 'a',
      playbook: 'scam-verdict',
      text: 'call me',
      receivedAt: '2026-01-05T10:00:00Z',
      evidence: given,
    });
    const ports = fakePorts({ playbook: scamVerdict });
    const outcome = await triage.run({ alert, artifacts: {}, previous: {}, units: [] }, ports);
    if (outcome.kind !== 'done') throw new Error(`no brief: ${outcome.kind}`);
    const items = briefSchema.parse(outcome.artifact).given;
    expect(items.map(({ id, given: isGiven, source }) => [id, isGiven, source])).toEqual([
      ['E1', true, 'upstream: table scam_reports'],
      ['E2', true, 'upstream'],
    ]);
    expect(evidenceLine(items[0]!, alert.receivedAt)).toMatch(/^\[E1\] scam_db .*handed in by the sender/);
  });
});
