import { stormSummary, type StormMember, type Storms, type Tool } from '@casefile/contracts';
import type { EvidenceSettings } from '../settings.js';
import { someSettings } from './settings.js';
import type { ToolSubject } from './tool.conformance.js';

const member = (caseId: string, state: StormMember['state']): StormMember => ({
  caseId,
  runId: caseId,
  state,
  name: 'DiskFull',
  services: ['ledger-db'],
  dependsOn: [],
  severity: 'critical',
  beganAt: Date.parse('2026-01-05T10:00:00Z'),
  joinedAt: 0,
});
const MEMBERS = [member('lead', 'lead'), member('other', 'taken')];

/** A storm of two alerts. */
export const storms: Pick<Storms, 'ofRun'> = {
  ofRun: async () => ({ leadCaseId: 'lead', members: MEMBERS }),
};

/** The tool that lists the alerts of a storm. */
export const stormSubjects = (
  toolNamed: (name: string, settings: EvidenceSettings) => Tool,
): Record<string, ToolSubject[]> => ({
  storm_members: [
    {
      requirement: 'T-20',
      make: (_baseUrl: string, limits: EvidenceSettings['limits']) =>
        toolNamed('storm_members', someSettings({ limits })),
      args: {},
      wrong: [['caseId', { caseId: 'x' }]],
      finds: {
        storm: stormSummary('lead', MEMBERS),
        text: expect.stringContaining('2 alerts began from 2026-01-05 10:00:00') as unknown as string,
      } as never,
    },
  ],
});
