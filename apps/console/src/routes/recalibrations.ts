import {
  labelListSchema,
  labelsQuerySchema,
  limitExperimentCreatedSchema,
  limitExperimentSchema,
  recalibrateSchema,
  recalibrationFlag,
  recalibrationListSchema,
  recalibrationSchema,
  type ConfidenceOrigin,
  type RecalibrationEntry,
  type ShownRecalibration,
} from '@casefile/contracts';
import { recalibrate } from '@casefile/pipeline';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';
import { labelQuery, learnedRecalibration, sourceOfLabels, suggestedLimit } from '../recalibrate.js';
import { createExperiment } from './experiments.js';

const DEFAULT_SHARE = 0.1;
const MOST_SHOWN = 10_000;

/** Returns a function that adds whether the flag of a recalibration is on. */
async function shower({
  store,
}: Pick<ConsolePorts, 'store'>): Promise<(entry: RecalibrationEntry) => ShownRecalibration> {
  const flags = await store.flags.list();
  const on = new Set(flags.filter(({ variant }) => variant === 'on').map(({ name }) => name));
  return (entry) => ({ ...entry, inForce: on.has(recalibrationFlag(entry.version)) });
}

/** Recalibrations: functions from stated to observed confidence, learned from labels. */
export const recalibrationRoutes = [
  route({
    method: 'get',
    path: '/quality/recalibrations',
    operationId: 'listRecalibrations',
    right: 'viewer',
    tag: 'quality',
    summary: 'List the recalibrations that were learned, the newest first',
    input: {},
    answer: '{ recalibrations, nextCursor }',
    response: recalibrationListSchema,
    handler: async (ports) => {
      const [toShown, all] = await Promise.all([shower(ports), ports.store.recalibrations.list()]);
      return { recalibrations: all.map(toShown), nextCursor: null };
    },
  }),
  route({
    method: 'post',
    path: '/quality/recalibrations',
    operationId: 'addRecalibration',
    right: 'operator',
    tag: 'quality',
    summary: 'Learn a recalibration from the labels of one source; an experiment puts it into effect',
    input: { body: recalibrateSchema },
    problems: [403, 404, 409],
    answer:
      'The version, which is not in force. 400: the labels have several sources, with the values to choose from. 409: fewer than 100 labels',
    status: 201,
    response: recalibrationSchema,
    handler: async (ports, { body: { by, reason, actId = ports.newId(), ...selection } }) => {
      const labels = await ports.store.qualityFigures.labels(labelQuery(selection, ports));
      const added = await ports.store.recalibrations.add(learnedRecalibration(labels, { actId, by, reason }));
      return (await shower(ports))(added);
    },
  }),
  route({
    method: 'post',
    path: '/quality/experiments',
    operationId: 'createLimitExperiment',
    right: 'operator',
    tag: 'quality',
    summary: 'Create an experiment whose new arm acts only from the confidence that the labels suggest',
    input: { body: limitExperimentSchema },
    problems: [403, 404, 409],
    answer:
      '{ experiment, suggestion }: a draft, which a person starts. 400: the labels have several sources. 409: fewer than 100 labels, or they show no such confidence',
    status: 201,
    response: limitExperimentCreatedSchema,
    handler: async (ports, { body: { by, reason, actId, share = DEFAULT_SHARE, ...selection } }) => {
      const labels = await ports.store.qualityFigures.labels(labelQuery(selection, ports));
      const { left: reviewLoad, ...threshold } = suggestedLimit(labels);
      const actFrom = await asDecided(ports, sourceOfLabels(labels), threshold.from);
      const experiment = await createExperiment(ports, {
        name: `act from a confidence of ${actFrom.toFixed(2)}`,
        playbook: selection.playbook,
        mode: 'ab',
        arms: [
          { name: 'control', settings: {} },
          { name: 'limit', settings: { actFrom } },
        ],
        share,
        by,
        reason,
        ...(actId === undefined ? {} : { actId }),
      });
      return { experiment, suggestion: { ...threshold, from: actFrom, reviewLoad } };
    },
  }),
  route({
    method: 'get',
    path: '/quality/labels',
    operationId: 'listLabels',
    right: 'reviewer',
    tag: 'quality',
    summary: 'Labels of verdicts with their origin, as a data set',
    input: { query: labelsQuerySchema },
    problems: [404],
    answer: '{ labels, isComplete, nextCursor }',
    response: labelListSchema,
    handler: async (ports, { query: { limit = MOST_SHOWN, ...selection } }) => {
      const labels = await ports.store.qualityFigures.labels(labelQuery(selection, ports));
      return {
        labels: labels.slice(-limit).map((label) => ({
          ...label,
          origin: label.event === null ? ('person' as const) : ('upstream' as const),
          fromProposal: label.event === null && label.right,
        })),
        isComplete: labels.length <= limit,
        nextCursor: null,
      };
    },
  }),
];

/** Returns a stated confidence as verdicts of the source have it: recalibrated if a version is in force. */
async function asDecided(
  { store }: Pick<ConsolePorts, 'store'>,
  source: ConfidenceOrigin,
  stated: number,
): Promise<number> {
  const toShown = await shower({ store });
  const recalibration = (await store.recalibrations.list()).find(
    (one) =>
      toShown(one).inForce &&
      Object.entries(source).every(([key, value]) => one[key as keyof ConfidenceOrigin] === value),
  );
  return recalibration === undefined ? stated : recalibrate(recalibration, stated);
}
