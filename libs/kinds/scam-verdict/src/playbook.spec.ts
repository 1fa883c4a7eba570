import {
  ARTIFACTS,
  type Alert,
  type AlertInput,
  type ArtifactSet,
  type EvidenceItem,
} from '@casefile/contracts';
import { flow } from '@casefile/pipeline/flow';
import { fakePorts, type FakePortsOptions } from '@casefile/pipeline/testing/fake-ports';
import {
  complaints,
  domainRisk,
  evidenceOf,
  failedItem,
  phoneCheck,
  reports,
} from '@casefile/pipeline/testing/scam-builders';
import { scamVerdict } from './playbook.js';

const good =
  '{"riskLevel":"high","confidence":92,"explanation":"47 reports [E1].","evidenceUsed":["scam_db"]}';

/** Answer to the second question, which evidence of the sender needs. */
const examined = JSON.stringify({
  claims: [{ id: 'C1', against: 'None.', answer: 'supports', quote: 'Your parcel is held: pay' }],
});

/** Runs an alert with given evidence through every stage of the flow. */
async function verdictOf(evidence: Partial<EvidenceItem>[], ports: FakePortsOptions = {}) {
  const alert = {
    id: 'alert-1',
    playbook: 'scam-verdict',
    text: 'Your parcel is held: pay at hxxps://parcel-fee[.]example or call +44 7700 900123',
    evidence: evidenceOf(...evidence).items,
    collect: false,
    receivedAt: '2026-01-05T10:00:00.000Z',
  } as Alert;
  let artifacts: ArtifactSet = {};
  const context = fakePorts({ playbook: scamVerdict, settings: { policy: 'risk-level' }, ...ports });
  for (const stage of flow) {
    const units = [{ unit: '', artifacts }];
    const outcome = await stage.run({ alert, artifacts, previous: {}, units }, context);
    if (outcome.kind !== 'done') throw new Error(`${stage.name} ended in ${outcome.kind}`);
    expect(ARTIFACTS[stage.appends].safeParse(outcome.artifact).error).toBeUndefined();
    artifacts = { ...artifacts, [stage.appends]: outcome.artifact };
  }
  return artifacts;
}

describe('the playbook scam-verdict', () => {
  it('S1-01 takes a text or an image, and nothing else', () => {
    const image = { mediaType: 'image/png' as const, base64: 'AA==' };
    const claims = (alert: AlertInput) => scamVerdict.intake.claims(alert, () => ({}))?.strength ?? null;
    expect(claims({ text: 'hello' })).toBe('matches');
    expect(claims({ image })).toBe('matches');
    expect(claims({ payload: {} })).toBeNull();
    expect(scamVerdict.intake.problems({ image })).toEqual([]);
    expect(scamVerdict.intake.problems({ payload: {}, text: ' ' })).toEqual([
      expect.objectContaining({ path: 'text' }),
    ]);
  });

  it('S1-25 has a deadline of 5 s, one round, and falls back at once', () => {
    expect(scamVerdict).toMatchObject({
      options: { defaults: { deadlineMs: 5_000 } },
      maxRounds: 1,
      onOutage: 'fallback',
    });
    expect(scamVerdict.intake.repeats({ text: 'a' })).toEqual({ by: 'content', holdOffMs: 86_400_000 });
  });

  it('S1-26 through the whole flow with a model', async () => {
    const settings = { policy: 'risk-level', options: { plantedClaims: 0 } };
    const script = [good, examined];
    const { brief, verdict, report } = await verdictOf([reports(47)], { script, settings });
    expect(brief).toMatchObject({ entities: { domain: ['parcel-fee.example'] } });
    expect(verdict).toMatchObject({
      disposition: 'act',
      method: 'llm',
      degraded: false,
      citations: ['E1'],
      outcome: { riskLevel: 'high', confidence: 92, reasoningMethod: 'llm', evidenceUsed: ['E1'] },
    });
    expect(report).toMatchObject({ markdown: expect.stringContaining('47 reports [E1].') });
  });

  it('S1-40 through the whole flow without a model: 47 reports, 12 complaints, all-zero phone -> 85, high', async () => {
    const { verdict } = await verdictOf([reports(47), complaints(12), phoneCheck(true)]);
    expect(verdict).toMatchObject({
      disposition: 'act',
      method: 'heuristic',
      degraded: false,
      confidence: 0.85,
      outcome: { riskLevel: 'high', confidence: 85, score: 85, reasoningMethod: 'heuristic' },
    });
  });

  it('S1-60 S1-15 through the whole flow with no evidence, with only gaps, with conflicting evidence', async () => {
    expect((await verdictOf([])).verdict).toMatchObject({
      outcome: { riskLevel: 'unconfirmed', confidence: 100 },
    });
    expect((await verdictOf([failedItem('exa_search', 'timeout')])).verdict).toMatchObject({
      outcome: { riskLevel: 'unconfirmed' },
      degraded: true,
    });
    expect((await verdictOf([reports(50), domainRisk('low')])).verdict).toMatchObject({
      disposition: 'review',
    });
  });

  it('S1-27 through the whole flow: an unknown id sends the case to review, and nothing confirms its level', async () => {
    const { review, verdict } = await verdictOf([reports(47)], { script: [good.replace('scam_db', 'E7')] });
    expect(review).toMatchObject({ ruling: 'WARN', findings: [{ id: 'unknown_evidence:E7' }] });
    expect(verdict).toMatchObject({
      disposition: 'review',
      outcome: { riskLevel: 'unconfirmed', confidence: 92 },
      citations: [],
    });
  });
});
