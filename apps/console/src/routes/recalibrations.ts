import {
  recalibrateSchema,
  recalibrationFlag,
  recalibrationListSchema,
  recalibrationSchema,
  type RecalibrationEntry,
  type ShownRecalibration,
} from '@casefile/contracts';
import type { ConsolePorts } from '../console-ports.js';
import { route } from '../http/route.js';
import { labelQuery, learnedRecalibration } from '../recalibrate.js';

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
    tag: 'quality',
    summary: 'List the recalibrations that were learned, the newest first',
    input: {},
    answer: '{ recalibrations, nextCursor }',
    response: recalibrationListSchema,
    handler: async (ports) => {
      const [shown, all] = await Promise.all([shower(ports), ports.store.recalibrations.list()]);
      return { recalibrations: all.map(shown), nextCursor: null };
    },
  }),
  route({
    method: 'post',
    path: '/quality/recalibrations',
    operationId: 'addRecalibration',
    tag: 'quality',
    summary: 'Learn a recalibration from the labels of one source; an experiment puts it in force',
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
];
