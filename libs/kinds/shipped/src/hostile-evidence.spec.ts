import type { EvidenceItem } from '@casefile/contracts';
import {
  answerProblems,
  hostileProblems,
  replayKind,
  runKind,
  type Script,
  type ScriptedTool,
} from '@casefile/kit/testing';
import {
  complaints,
  domainRisk,
  phoneCheck,
  reports,
  textSignals,
} from '@casefile/pipeline/testing/scam-builders';
import scamVerdict from '@casefile/scam-verdict';

/** A tool that returns the result of this item for each of these types of entities. */
const tool = ({ result = null }: Partial<EvidenceItem>, ...entityTypes: string[]): ScriptedTool => ({
  entityTypes,
  answer: () => result,
});
const script = (riskLevel: string): Script => ({
  tools: {
    scam_db: tool(reports(3), 'phone', 'url'),
    exa_search: tool(complaints(2), 'phone'),
    domain_reputation: tool(domainRisk('low'), 'url'),
    phone_validator: tool(phoneCheck(false), 'phone'),
    text_signals: tool(textSignals('asks_money')),
  },
  model: () => ({ riskLevel, confidence: 80, explanation: 'As E4 says.', evidenceUsed: ['E4'] }),
});
const ALERT = { text: 'Your parcel is held. Pay at http://parcel.example or call +4915112345678' };

describe('a shipped kind that is run by the helpers of the kit', () => {
  it.each(['low', 'high'])(
    'holds with hostile evidence, and when its model answers %s',
    async (riskLevel) => {
      const run = await runKind(scamVerdict, ALERT, script(riskLevel));
      expect(run.verdict).toMatchObject({ method: 'llm', degraded: false, citations: ['E4'] });
      expect(run.artifacts[1]?.body['items']).toHaveLength(6);
      expect((await replayKind(scamVerdict, run)).verdict).toEqual(run.verdict);
      expect(answerProblems(run)).toEqual([]);
      expect(await hostileProblems(scamVerdict, ALERT, script(riskLevel))).toEqual([]);
    },
  );
});
