import { CasefileError, type ScamReports, type Tool } from '@casefile/contracts';
import { entityArgs } from '../entity-args.js';
import { OWN_LOOK_UP, toolLimits, type EvidenceSettings } from '../settings.js';

const ENTITY_TYPES = ['phone', 'email', 'url', 'domain', 'crypto', 'payment'] as const;

/**
 * Number of reports of a value in our own table. Result `{ found, reportCount, riskScore (0..100),
 * firstReportedAt, lastReportedAt }`. A value without reports is an answer, not a failure.
 */
export function lookUpScamReports(
  settings: Pick<EvidenceSettings, 'limits'>,
  reports: ScamReports | undefined,
): Tool {
  const args = entityArgs(ENTITY_TYPES);
  return {
    name: 'scam_db',
    description: 'Looks a phone number, address, domain or account up in the database of scam reports.',
    locality: 'local',
    reads: 'database',
    entityTypes: ENTITY_TYPES,
    args,
    limits: toolLimits('scam_db', OWN_LOOK_UP, settings),
    async run(input) {
      if (reports === undefined)
        throw new CasefileError('not_configured', 'There are no scam reports in this process');
      const { entityType, entityValue } = args.parse(input);
      const known = await reports.find(entityType, entityValue);
      const { reportCount, riskScore, firstReportedAt, lastReportedAt } = known ?? NOTHING;
      const result = { found: known !== null, reportCount, riskScore, firstReportedAt, lastReportedAt };
      return { result, source: 'scam reports' };
    },
  };
}

const NOTHING = { reportCount: 0, riskScore: 0, firstReportedAt: null, lastReportedAt: null };
