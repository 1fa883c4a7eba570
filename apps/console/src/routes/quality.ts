import { CasefileError, InvalidInput, qualityQuerySchema, qualitySchema } from '@casefile/contracts';
import { route } from '../http/route.js';
import { qualityView } from '../quality-view.js';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 30;

/** Figures of verdicts: share of right ones, time and cost. */
export const qualityRoutes = [
  route({
    method: 'get',
    path: '/quality',
    operationId: 'getQuality',
    right: 'viewer',
    tag: 'quality',
    summary: 'How right the verdicts were, by what people said of them, and what they cost',
    input: { query: qualityQuerySchema },
    answer:
      'Figures per kind, or per `by`, over time, the calibration of each source of confidence, and the results of labelled sets',
    response: qualitySchema,
    handler: async ({ store, now, playbooks, evaluations }, { query: { playbook, by, from, to } }) => {
      if (playbook !== undefined && !playbooks.some(({ name }) => name === playbook))
        throw new CasefileError('not_found', `no kind of case has the name "${playbook}"`);
      const until = to === undefined ? now() : Date.parse(to);
      const since = from === undefined ? until - DEFAULT_DAYS * DAY_MS : Date.parse(from);
      if (since >= until)
        throw new InvalidInput([{ path: 'from', message: 'expected a time before `to`' }], 'request');
      const figures = await qualityView(store.qualityFigures, {
        from: new Date(since).toISOString(),
        to: new Date(until).toISOString(),
        ...(playbook === undefined ? {} : { playbook }),
        ...(by === undefined ? {} : { by }),
      });
      const matching = evaluations.filter((one) => playbook === undefined || one.playbook === playbook);
      return { ...figures, evaluations: matching };
    },
  }),
];
