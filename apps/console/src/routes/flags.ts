import {
  CasefileError,
  flagListSchema,
  resetExperimentSchema,
  setFlagSchema,
  shownFlagSchema,
  z,
} from '@casefile/contracts';
import { existing } from '../http/act-of.js';
import { route } from '../http/route.js';

/** Flags of experiments: whether their new arms take cases. */
export const flagRoutes = [
  route({
    method: 'get',
    path: '/flags',
    operationId: 'listFlags',
    right: 'viewer',
    tag: 'flags',
    summary: 'List the flags, with who changed each and why',
    input: {},
    answer: '{ flags, nextCursor }',
    response: flagListSchema,
    handler: async ({ store }) => ({ flags: await store.flags.list(), nextCursor: null }),
  }),
  route({
    method: 'post',
    path: '/flags/{name}',
    operationId: 'setFlag',
    right: 'operator',
    tag: 'flags',
    summary: 'Switch the new arm of an experiment on or off',
    input: { params: z.object({ name: z.string().min(1).max(200) }), body: setFlagSchema },
    problems: [403, 404, 409],
    answer:
      'The flag. In force for new runs within 5 s. 409: the experiment does not run, or it stepped back and was not reset',
    response: shownFlagSchema,
    handler: async ({ store, newId }, { params: { name }, body: { actId = newId(), ...act } }) => {
      const flags = await store.flags.list();
      if (!flags.some((flag) => flag.name === name)) throw noFlag(name, flags);
      return store.flags.set({ name, actId, ...act });
    },
  }),
  route({
    method: 'post',
    path: '/experiments/{id}/reset',
    operationId: 'resetExperiment',
    right: 'operator',
    tag: 'experiments',
    summary: 'Reset an experiment that stepped back on its own, so that it can be started again',
    input: { params: z.object({ id: z.uuid() }), body: resetExperimentSchema },
    problems: [403, 404, 409],
    answer: 'Its flag, which stays off. 409: the experiment has not stepped back',
    response: shownFlagSchema,
    handler: async ({ store, newId }, { params: { id }, body: { actId = newId(), ...act } }) => {
      return existing('experiment', id, await store.flags.reset(id, { actId, ...act }));
    },
  }),
];

function noFlag(name: string, flags: readonly { name: string }[]): CasefileError {
  const flagNames =
    flags.length === 0 ? 'there are none' : `there are: ${flags.map((flag) => flag.name).join(', ')}`;
  return new CasefileError('not_found', `there is no flag "${name}"; ${flagNames}`);
}
