import { createLanguageModel, readProviderTable, resolveProvider } from '@casefile/llm';
import { systemClock } from '@casefile/runtime';
import { memoryWorld } from './testing/world.js';

const TEXT =
  'Your account is blocked. Call +1 650 253 0000 within the hour or log in at http://secure-login.example';
const reports = (found: boolean, reportCount: number) => ({
  ...{ toolName: 'scam_db', entityType: 'phone', entityValue: '+16502530000' },
  result: { found, reportCount, riskScore: found ? 90 : 0, firstReportedAt: null, lastReportedAt: null },
});
const complaints = (count: number) => ({
  ...{ toolName: 'exa_search', entityType: 'phone', entityValue: '+16502530000' },
  result: {
    results: Array.from({ length: count }, (_, i) => ({
      title: `Complaint ${i + 1}`,
      url: 'https://forum.example',
    })),
  },
});
const domain = (riskLevel: string, virustotalMalicious: number, ageDays: number) => ({
  ...{ toolName: 'domain_reputation', entityType: 'domain', entityValue: 'secure-login.example' },
  result: { riskLevel, virustotalMalicious, ageDays },
});

const CASES: [string, object[], string[]][] = [
  ['strong', [reports(true, 47), complaints(12), domain('high', 14, 3)], ['high']],
  ['weak', [reports(false, 0), complaints(2)], ['low', 'medium', 'high']],
  ['conflicting', [reports(false, 0), complaints(0), domain('high', 9, 5)], ['medium', 'high']],
  ['no', [], ['low', 'medium', 'high']],
];

const withKey = [...readProviderTable().values()].filter(
  (entry) => entry.keyVariable !== null && process.env[entry.keyVariable],
);

describe.each(withKey.map((entry) => [entry.name]))('live: %s', (name) => {
  const { entry, apiKey } = resolveProvider({ table: readProviderTable(), name, env: process.env });
  const model = createLanguageModel(entry, { apiKey, clock: systemClock });

  it.each(CASES)('S1-61 reasons over %s evidence', async (_what, evidence, levels) => {
    const world = memoryWorld(model);
    try {
      const alert = { playbook: 'scam-verdict', text: TEXT, evidence, collect: false };
      const { caseId } = await world.platform.intake.accept(alert);
      const verdict = (await world.ended(caseId)).runs[0]?.verdict;
      expect(verdict?.method).toBe('llm');
      expect(levels).toContain(verdict?.outcome['riskLevel']);
    } finally {
      await world.close();
    }
  });
});
