import {
  CasefileError,
  DEGRADED_BY,
  DEMONSTRATION,
  done,
  type Review,
  type RunSettings,
  type Verdict,
} from '@casefile/contracts';
import { ANSWER_IN_REASONING } from './ask.js';
import { playbookStrategy, type Playbook } from './playbook.js';
import { defineStage } from './stage.js';
import type { UnitResult } from './stage-parts.js';
import { recalibrateVerdict, withActingLimit } from './quality/recalibration.js';

// Stages with their input artifacts, output artifact and app. The playbook's part of the same name does the
// work.

/** Reads the alert. */
export const triage = defineStage({
  name: 'triage',
  app: 'ingest',
  readsAlert: true,
  reads: [],
  appends: 'brief',
  run: ({ alert }, ports) => ports.playbook.triage(alert, ports),
});

/** Collects evidence. */
export const collect = defineStage({
  name: 'collect',
  app: 'evidence-collector',
  reads: ['brief'],
  readsPrevious: ['draft', 'evidence'],
  appends: 'evidence',
  run: (input, ports) => ports.playbook.collect(input, ports),
});

/** Reasons over brief and evidence by the run's strategy. */
export const reason = defineStage({
  name: 'reason',
  app: 'reasoner',
  reads: ['brief', 'evidence'],
  readsPrevious: ['draft', 'review'],
  appends: 'draft',
  run: async (input, ports) => {
    const { strategy, provider } = ports.run.settings;
    const previous = withoutPlantedBefore(input.previous);
    const outcome = await playbookStrategy(ports.playbook, strategy).reason({ ...input, previous }, ports);
    // Answers of a demonstration are written by hand, so they are not labelled as answers of a model.
    if (provider !== DEMONSTRATION || outcome.kind !== 'done' || outcome.artifact.method !== 'llm')
      return outcome;
    return { ...outcome, artifact: { ...outcome.artifact, method: 'demonstration' } };
  },
});

/** Criticises the draft. */
export const critique = defineStage({
  name: 'critique',
  app: 'critic-writer',
  reads: ['brief', 'evidence', 'draft'],
  readsPrevious: ['review'],
  appends: 'review',
  run: (input, ports) =>
    ports.playbook.critique({ ...input, previous: withoutPlantedBefore(input.previous) }, ports),
});

/** Writes the report: one per run, even if the run has several units. */
export const write = defineStage({
  name: 'write',
  app: 'critic-writer',
  reads: ['brief', 'evidence', 'draft', 'review'],
  appends: 'report',
  joins: true,
  async run({ units: [first, ...others] }, ports) {
    if (first === undefined) throw new CasefileError('no_units', 'there is no result to report on');
    const units = [withoutPlanted(first), ...others.map(withoutPlanted)] as const;
    return done(await ports.playbook.write(units, ports));
  },
});

/** Makes the verdict from the results of all units. Thresholds come from the playbook, never from a model. */
export const decide = defineStage({
  name: 'decide',
  app: 'decision',
  reads: ['brief', 'evidence', 'draft', 'review', 'report'],
  appends: 'verdict',
  joins: true,
  run({ units }, { run, playbook, clock }) {
    const decidedAt = new Date(clock.now()).toISOString();
    const { settings, runId, caseId } = run;
    const results = withoutProviderRemarks(units.map(withoutPlanted));
    const decided = playbook.decision.decide(results, settings, decidedAt, runId, caseId);
    const stated = {
      ...withProviderRemarks(markedVerdict(decided), units),
      ...promptsNamed(playbook, settings),
    };
    const language = units[0]?.brief.language?.code ?? null;
    const verdict = withVerdictFeatures(stated, settings, language);
    return { ...done(verdict), effects: playbook.outward(verdict).effects };
  },
});

/** Returns a unit without the false claims of its cross-examination, so that no report or verdict repeats them. */
export function withoutPlanted<T extends { review: Review }>(unit: T): T {
  const { crossExamination, ...review } = unit.review;
  if (crossExamination?.planted === undefined) return unit;
  const { planted: _planted, ...examined } = crossExamination;
  return { ...unit, review: { ...review, crossExamination: examined } };
}

function withoutPlantedBefore<T extends { review?: Review }>(previous: T): T {
  const { review } = previous;
  return review === undefined ? previous : { ...previous, review: withoutPlanted({ review }).review };
}

function promptsNamed(
  { strategies }: Playbook,
  { strategy, promptIds }: RunSettings,
): Pick<Verdict, 'promptIds'> {
  const uses = Object.keys(strategies[strategy]?.prompts ?? {});
  const ids = uses.flatMap((use) => promptIds[use] ?? []);
  return { promptIds: [...new Set(ids)].sort() };
}

function markedVerdict(verdict: Verdict): Verdict {
  if (verdict.method !== 'demonstration') return verdict;
  const mark =
    'Demonstration: the answer was written by hand for this bundled sample. No language model judged it.';
  return { ...verdict, reasons: [mark, ...verdict.reasons] };
}

/** Remarks of the executor on answers of another model than that of the run. */
const DETOURS: Record<string, string> = {
  fallback_provider: 'The run’s own provider was out: another one of its list answered.',
  cheaper_model: 'A budget had no room for the run’s own model: a cheaper one answered.',
};

/** Remarks for people on how an answer was read; they do not change the verdict. */
const READINGS: Record<string, string> = {
  [ANSWER_IN_REASONING]:
    'The model returned its answer in the field for its reasoning; the answer was read from there.',
};

const LEFT_OPEN = 'It needs review: only the model of the settings may dismiss a case.';

const wordsFor = (remark: string): string | undefined => DETOURS[remark] ?? READINGS[remark];

/** Returns the results without the remarks that `withProviderRemarks` converts to reasons. */
export function withoutProviderRemarks(units: UnitResult[]): UnitResult[] {
  return units.map((unit) => ({
    ...unit,
    draft: {
      ...unit.draft,
      remarks: unit.draft.remarks.filter((remark) => wordsFor(remark) === undefined),
    },
  }));
}

/**
 * Adds a reason to the verdict for each answer of another model that it rests on. Such a verdict is degraded
 * and dismisses no case. Remarks on how an answer was read are reasons too, but do not degrade the verdict.
 */
export function withProviderRemarks(decided: Verdict, units: UnitResult[]): Verdict {
  const remarks = units.flatMap(({ draft, review }) => [...draft.remarks, ...(review.remarks ?? [])]);
  const said = Object.entries(READINGS).flatMap(([remark, words]) =>
    remarks.includes(remark) ? [words] : [],
  );
  const verdict = said.length === 0 ? decided : { ...decided, reasons: [...decided.reasons, ...said] };
  const reasons = Object.entries(DETOURS).flatMap(([remark, words]) =>
    remarks.includes(remark) ? [words] : [],
  );
  if (reasons.length === 0) return verdict;
  const degradedNote = [verdict.degradedNote, DEGRADED_BY.other_model.short].filter((said) => said !== '');
  const closes = verdict.disposition === 'dismiss';
  return {
    ...verdict,
    disposition: closes ? 'review' : verdict.disposition,
    reasons: [...verdict.reasons, ...reasons, ...(closes ? [LEFT_OPEN] : [])],
    degraded: true,
    degradedBy: [...verdict.degradedBy, 'other_model'],
    degradedNote: degradedNote.join(', '),
  };
}

type OnVerdict = (verdict: Verdict, settings: RunSettings, language: string | null) => Verdict;

/** Features that change or mark a verdict, by the frozen setting that switches them on, in this order. */
const ON_VERDICT: readonly (readonly [setting: keyof RunSettings, change: OnVerdict])[] = [
  ['experiment', (verdict, { experiment }) => ({ ...verdict, ...(experiment && { experiment }) })],
  ['recalibrations', recalibrateVerdict],
  ['actFrom', withActingLimit],
];

/**
 * Returns the verdict of a run with the features that its settings switch on.
 * @param language of the message. null: the brief names none.
 */
function withVerdictFeatures(verdict: Verdict, settings: RunSettings, language: string | null): Verdict {
  return ON_VERDICT.reduce(
    (before, [setting, change]) =>
      settings[setting] === undefined ? before : change(before, settings, language),
    verdict,
  );
}
