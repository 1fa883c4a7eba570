import { done, type ArtifactName, type ArtifactOf } from '@casefile/contracts';
import { flow, type Stage } from '@casefile/pipeline';

const AT = '2026-01-05T10:00:00.000Z';
const NOTHING: { [N in ArtifactName]: ArtifactOf<N> } = {
  brief: {
    text: 'nothing',
    textSource: 'text',
    entities: {},
    given: [],
    collect: false,
    receivedAt: AT,
    notes: [],
  },
  evidence: { items: [] },
  draft: {
    answer: {},
    explanation: '',
    claims: [],
    evidenceUsed: [],
    confidence: 1,
    confidenceSource: 'heuristic',
    method: 'heuristic',
    strategy: 'none',
    remarks: [],
  },
  review: { ruling: 'PASS', findings: [], reviewer: 'none' },
  report: { title: 'nothing', markdown: 'nothing', citations: [] },
  verdict: {
    outcome: { action: 'IGNORE' },
    disposition: 'dismiss',
    confidence: 1,
    confidenceSource: 'heuristic',
    method: 'heuristic',
    reasons: [],
    citations: [],
    degraded: false,
    degradedBy: [],
    degradedNote: '',
    decidedAt: AT,
  },
};

/**
 * The stages of the flow with their inputs and lanes but without work, to measure only the time between
 * stages.
 */
export const noOpFlow: readonly Stage[] = flow.map((stage) => ({
  ...stage,
  run: async () => done(NOTHING[stage.appends]),
}));
