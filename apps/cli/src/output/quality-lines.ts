import { reasonInWords, type Quality, type QualityGrouping } from '@casefile/contracts';
import { dollarsEach, ms, table } from '@casefile/kit/evaluation/tables';
import { oneLine } from '@casefile/kit/output/escape';
import { evaluationLines } from './quality-evaluations.js';
import { estimate, inWords, percent } from './quality-words.js';

/** Returns the figures of verdicts and of labelled sets as tables. @param by Column by which rows are grouped. */
export function qualityLines({ evaluations, ...figures }: Quality, by?: QualityGrouping): string[] {
  return [...figureLines(figures, by), ...evaluationLines(evaluations)];
}

function figureLines(
  { quality, calibration, missing, examiners, from, to }: Omit<Quality, 'evaluations'>,
  by?: QualityGrouping,
): string[] {
  if (quality.length === 0) return [`No verdict from ${from} to ${to}.`];
  return [
    `Verdicts from ${from} to ${to}`,
    ...table(
      '',
      [
        'kind',
        ...(by === undefined ? [] : [by]),
        'verdicts',
        'labels',
        'right',
        'of all',
        'act right',
        'review',
        'degraded',
        'cited',
      ],
      quality.map((row) => [
        row.playbook,
        ...(by === undefined ? [] : [row.group === null ? '-' : oneLine(row.group)]),
        row.verdicts,
        row.labels,
        inWords(row.accuracy),
        estimate(row.estimatedAccuracy),
        inWords(row.precisionOfAct),
        percent(row.reviewShare),
        percent(row.degradedShare),
        percent(row.citationAccuracy),
      ]),
    ),
    ...table(
      'Cost and time per verdict',
      ['kind', ...(by === undefined ? [] : [by]), 'cost', 'tokens', 'p50', 'p95'],
      quality.map((row) => [
        row.playbook,
        ...(by === undefined ? [] : [row.group === null ? '-' : oneLine(row.group)]),
        `${dollarsEach(row.costUsdPerVerdict)}${row.unpricedCalls === 0 ? '' : ` (${row.unpricedCalls} calls without a price)`}`,
        Math.round(row.tokensPerVerdict ?? 0),
        ms(row.p50Ms),
        ms(row.p95Ms),
      ]),
    ),
    ...table(
      'Calibration of the stated confidence',
      ['kind', 'strategy', 'model', 'language', 'source', 'labels', 'error', 'act from'],
      calibration.map(
        ({ playbook, strategy, model, language, confidenceSource, labels, error, actFrom, ...one }) => [
          playbook,
          strategy,
          oneLine(model ?? '-'),
          language ?? '-',
          one.recalibration === null
            ? confidenceSource
            : `${confidenceSource} (version ${one.recalibration})`,
          labels,
          error === null
            ? 'not enough labels (100)'
            : `${error.value.toFixed(3)} (${error.low.toFixed(3)} to ${error.high.toFixed(3)})`,
          actFrom === null ? '-' : actFrom.toFixed(2),
        ],
      ),
    ),
    ...table(
      'Labels and limits for acting',
      [
        'kind',
        'source',
        'oldest',
        'median',
        'newest',
        'settings',
        'older, newer half right',
        'recall',
        'review load',
      ],
      calibration.map(({ playbook, confidenceSource, age, drift, acting }) => [
        playbook,
        confidenceSource,
        day(age?.oldest),
        day(age?.median),
        day(age?.newest),
        age === null ? '-' : age.isCurrent ? 'current' : 'earlier',
        drift === null
          ? '-'
          : `${percent(drift.older)}, ${percent(drift.newer)}${drift.isDrift ? ' (drift)' : ''}`,
        acting === null ? '-' : `${(acting.recall * 100).toFixed(1)} %`,
        acting === null ? '-' : `${(acting.reviewLoad * 100).toFixed(1)} %`,
      ]),
    ),
    ...missingLines(missing),
    ...examinerLines(examiners),
  ];
}

function missingLines(missing: Quality['missing']): string[] {
  if (missing.length === 0) return [];
  return table(
    'Look-ups without an answer',
    ['kind', 'tool', 'cases', 'why'],
    missing.map(({ playbook, tool, cases, reasons }) => [
      playbook,
      oneLine(tool),
      cases,
      reasons.map(({ reason, cases: of }) => `${oneLine(reasonInWords(reason))} (${of})`).join(', '),
    ]),
  );
}

function examinerLines(examiners: Quality['examiners']): string[] {
  if (examiners.length === 0) return [];
  return table(
    'Examiners',
    ['model', 'provider', 'examinations', 'planted claims supported', 'agrees with people'],
    examiners.map(({ model, provider, examinations, plantedSupported, agreement, isDoubtful }) => [
      oneLine(model),
      oneLine(provider),
      examinations,
      `${inWords(plantedSupported)}${isDoubtful ? ' (doubtful)' : ''}`,
      inWords(agreement),
    ]),
  );
}

const day = (at: string | undefined): string => at?.slice(0, 10) ?? '-';
