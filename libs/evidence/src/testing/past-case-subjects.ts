import type { PastCases, Tool } from '@casefile/contracts';
import type { EvidenceSettings } from '../settings.js';
import { someSettings } from './settings.js';
import type { ToolSubject } from './tool.conformance.js';

const PAST = {
  caseId: '0a6f5f7f-2b1c-4c1d-9d0e-0a6f5f7f2b1c',
  confirmedAt: '2026-01-05T10:00:00.000Z',
  agreed: true,
  similarity: 1,
  title: 'DiskFull: the disk of db-1 is full',
  outcome: { action: 'ticket' },
  note: 'The backup fills it.',
};
const LINE =
  'Case 0a6f5f7f-2b1c-4c1d-9d0e-0a6f5f7f2b1c, 2026-01-05, a person agreed with the verdict: action ticket. Alert: DiskFull: the disk of db-1 is full. Note of the person: The backup fills it.';

/** One past case of one key. */
export const pastCases: Pick<PastCases, 'find'> = {
  find: async ({ keys }) => (keys.includes('alert DiskFull') ? [PAST] : []),
};

/** The tool that finds past cases, with a similar case and without one. */
export const pastCaseSubjects = (
  toolNamed: (name: string, settings: EvidenceSettings) => Tool,
): Record<string, ToolSubject[]> => {
  const subject = (key: string) => ({
    requirement: 'S4-59',
    make: (_baseUrl: string, limits: EvidenceSettings['limits']) =>
      toolNamed('past_cases', someSettings({ limits })),
    args: { playbook: 'incident', keys: [key], terms: [key], limit: 3 },
    wrong: [
      ['keys', { playbook: 'incident', keys: [], terms: ['a'], limit: 3 }],
      ['limit', { playbook: 'incident', keys: ['a'], terms: ['a'], limit: 4 }],
      ['caseId', { playbook: 'incident', keys: ['a'], terms: ['a'], limit: 1, caseId: 'x' }],
    ] as ToolSubject['wrong'],
  });
  const text = expect.stringContaining(LINE) as unknown as string;
  return {
    past_cases: [
      { ...subject('alert DiskFull'), finds: { text, cases: [PAST] } },
      {
        ...subject('alert Other'),
        by: 'no similar case',
        finds: { text: 'No similar past case.', cases: [] },
      },
    ],
  };
};
