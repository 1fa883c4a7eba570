import {
  CasefileError,
  createExperimentSchema,
  experimentActSchema,
  experimentDetailSchema,
  experimentListSchema,
  experimentPromoteSchema,
  experimentSchema,
  experimentShareSchema,
  InvalidInput,
  promotedExperimentSchema,
  z,
  type CreateExperiment,
  type ExperimentArm,
  type ExperimentEntry,
  type JsonObject,
  type RecalibrationEntry,
  type RolledOutPrompt,
  type ShownExperiment,
} from '@casefile/contracts';
import { compareArms } from '@casefile/pipeline';
import { missingPrice, withArm } from '@casefile/runtime';
import type { ConsolePorts } from '../console-ports.js';
import { actOf, existing } from '../http/act-of.js';
import { route } from '../http/route.js';

const params = z.object({ id: z.string().max(100) });
const HISTORY = 100;
/** Default limits of an experiment. Pairs vary less than two groups of cases, so they need fewer. */
const DEFAULTS = {
  shadow: { margin: 0.03, expectedCases: 1_000 },
  ab: { margin: 0.05, expectedCases: 2_000 },
} as const;
const LIMIT = 0.05;

function shownExperiment({ salt: _salt, ...entry }: ExperimentEntry): ShownExperiment {
  return entry;
}

async function experimentNamed({ store }: Pick<ConsolePorts, 'store'>, id: string): Promise<ExperimentEntry> {
  return existing('experiment', id, await store.experiments.get(id));
}

interface CheckedExperiment {
  playbook: string;
  arms: readonly { name: string; settings: object }[];
  budgetUsd?: number | null | undefined;
}

/**
 * Checks that new runs can have the settings of each arm.
 * @throws InvalidInput that names the field; CasefileError `not_ready` (retryable).
 */
async function checkArms(
  { playbooks, store, newRunSettings, providers }: ConsolePorts,
  { playbook: kind, arms, budgetUsd }: CheckedExperiment,
): Promise<void> {
  const playbook = playbooks.find(({ name }) => name === kind);
  if (playbook === undefined) {
    const playbookNames = playbooks.map(({ name }) => name).join(', ');
    throw new InvalidInput([{ path: 'playbook', message: `expected one of ${playbookNames}` }], 'experiment');
  }
  const settings = newRunSettings(kind);
  if (settings === null)
    throw new CasefileError('not_ready', 'the service that asks models has not published this kind yet', {
      retryable: true,
    });
  const versions = (await store.promptVersions.list()).filter(
    (version) => version.playbook === kind && version.unfit === null,
  );
  const prompts = versions.map((version): RolledOutPrompt => ({ ...version, state: 'shadow', moved: true }));
  const recalibrations = (await store.recalibrations.list()).map(asRolledOut);
  const world = { playbook, prompts, recalibrations, providers: providers().map(({ name }) => name) };
  for (const [i, arm] of arms.entries())
    try {
      const own = withArm(settings, arm as ExperimentArm, world);
      const missing = budgetUsd == null ? null : missingPrice(own, providers());
      if (missing !== null) throw new InvalidInput([{ path: 'settings.model', message: missing }], 'arm');
    } catch (thrown) {
      if (!(thrown instanceof InvalidInput)) throw thrown;
      const inArm = (path: string) =>
        `arms[${i}].${path.startsWith('settings') ? path : `settings.options.${path}`}`;
      throw new InvalidInput(
        thrown.problems.map(({ path, message }) => ({ path: inArm(path), message })),
        'experiment',
      );
    }
}

function asRolledOut({ playbook, version, points, ...of }: RecalibrationEntry) {
  return { playbook, version, points, of };
}

/** Creates a draft. @throws InvalidInput that names each setting of an arm that new runs cannot have. */
export async function createExperiment(
  ports: ConsolePorts,
  body: CreateExperiment,
): Promise<ShownExperiment> {
  await checkArms(ports, body);
  const { actId = ports.newId(), budgetUsd = null, limit = LIMIT, ...fields } = body;
  const own = { id: ports.newId(), salt: ports.newId(), actId, budgetUsd, limit };
  const experiment = { ...DEFAULTS[body.mode], ...fields, ...own, arms: fields.arms as ExperimentArm[] };
  return shownExperiment(await ports.store.experiments.create(experiment));
}

/** Returns the settings of an arm that only the configuration can put in force for all new runs. */
function configurationOf(
  { playbook, arms }: Pick<ExperimentEntry, 'playbook' | 'arms'>,
  name: string,
): JsonObject | null {
  const { strategy, provider, model, options = {} } = arms.find((arm) => arm.name === name)?.settings ?? {};
  const own = {
    ...(strategy === undefined ? {} : { strategy }),
    ...(provider === undefined ? {} : { provider }),
    ...(model === undefined || provider === 'none' ? {} : { models: { high: model } }),
    ...options,
  };
  return Object.keys(own).length === 0 ? null : { playbooks: { [playbook]: own } };
}

const CHANGED = 'The experiment. New runs follow the change within 5 s. 409: its state does not allow it';

/** Experiments: their states, the comparison of their arms, and the acts of people. */
export const experimentRoutes = [
  route({
    method: 'get',
    path: '/experiments',
    operationId: 'listExperiments',
    right: 'viewer',
    tag: 'experiments',
    summary: 'List the experiments, the newest first',
    input: {},
    answer: '{ experiments, nextCursor }',
    response: experimentListSchema,
    handler: async ({ store }) => ({
      experiments: (await store.experiments.list()).map(shownExperiment),
      nextCursor: null,
    }),
  }),
  route({
    method: 'post',
    path: '/experiments',
    operationId: 'createExperiment',
    right: 'operator',
    tag: 'experiments',
    summary: 'Create an experiment, which starts when a person starts it',
    input: { body: createExperimentSchema },
    problems: [409],
    answer: 'The experiment as a draft. 400 names each setting of an arm that new runs cannot have',
    status: 201,
    response: experimentSchema,
    handler: (ports, { body }) => createExperiment(ports, body),
  }),
  route({
    method: 'get',
    path: '/experiments/{id}',
    operationId: 'getExperiment',
    right: 'viewer',
    tag: 'experiments',
    summary: 'One experiment: its history, and the comparison of its arms',
    input: { params },
    answer: 'The experiment with `history`, `costUsd` and `comparison`',
    response: experimentDetailSchema,
    handler: async (ports, { params: { id } }) => {
      const experiment = await experimentNamed(ports, id);
      const [history, runs] = await Promise.all([
        ports.store.experiments.history(id, HISTORY),
        ports.store.experiments.runs(id),
      ]);
      const comparison = compareArms(experiment, runs);
      return { ...shownExperiment(experiment), history, costUsd: runs.costUsd, comparison };
    },
  }),
  route({
    method: 'post',
    path: '/experiments/{id}/start',
    operationId: 'startExperiment',
    right: 'operator',
    tag: 'experiments',
    summary: 'Start an experiment, or start it again after a stop',
    input: { params, body: experimentActSchema },
    problems: [404, 409],
    answer: `${CHANGED}, or another experiment of the kind is running`,
    response: experimentSchema,
    handler: async (ports, { params: { id }, body }) => {
      await checkArms(ports, await experimentNamed(ports, id));
      return shownExperiment(
        existing('experiment', id, await ports.store.experiments.start(id, actOf(ports, body))),
      );
    },
  }),
  route({
    method: 'post',
    path: '/experiments/{id}/share',
    operationId: 'shareExperiment',
    right: 'operator',
    tag: 'experiments',
    summary: 'Change the share of the cases; when it rises, no case leaves the new arm',
    input: { params, body: experimentShareSchema },
    problems: [404, 409],
    answer: CHANGED,
    response: experimentSchema,
    handler: async (ports, { params: { id }, body: { share, ...body } }) => {
      return shownExperiment(
        existing('experiment', id, await ports.store.experiments.share(id, share, actOf(ports, body))),
      );
    },
  }),
  route({
    method: 'post',
    path: '/experiments/{id}/stop',
    operationId: 'stopExperiment',
    right: 'operator',
    tag: 'experiments',
    summary: 'Stop an experiment: new runs use the normal settings',
    input: { params, body: experimentActSchema },
    problems: [404, 409],
    answer: CHANGED,
    response: experimentSchema,
    handler: async (ports, { params: { id }, body }) => {
      return shownExperiment(
        existing('experiment', id, await ports.store.experiments.stop(id, actOf(ports, body))),
      );
    },
  }),
  route({
    method: 'post',
    path: '/experiments/{id}/promote',
    operationId: 'promoteExperiment',
    right: 'operator',
    tag: 'experiments',
    summary: 'End an experiment and make the prompt versions of an arm live',
    input: { params, body: experimentPromoteSchema },
    problems: [404, 409],
    answer: `${CHANGED}. \`configuration\`: the settings of the arm that a person has to configure`,
    response: promotedExperimentSchema,
    handler: async (ports, { params: { id }, body: { arm, ...body } }) => {
      const { playbook, arms } = await experimentNamed(ports, id);
      const name = arm ?? arms[1]?.name ?? '';
      await checkArms(ports, { playbook, arms: arms.filter((one) => one.name === name) });
      const promoted = existing(
        'experiment',
        id,
        await ports.store.experiments.promote(id, name, actOf(ports, body)),
      );
      return { ...shownExperiment(promoted), configuration: configurationOf(promoted, name) };
    },
  }),
];
