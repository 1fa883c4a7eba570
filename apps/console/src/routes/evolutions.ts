import {
  evolutionActSchema,
  evolutionDetailSchema,
  evolutionListSchema,
  evolutionSchema,
  resumeEvolutionSchema,
  startEvolutionSchema,
  z,
  type EvolutionAct,
  type EvolutionEntry,
  type ShownEvolution,
  type ShownEvolutionDetail,
  kindField,
} from '@casefile/contracts';
import {
  addedSentences,
  casesBehind,
  meanScore,
  type EvolutionReport,
  type EvolutionState,
} from '@casefile/pipeline';
import { planEvolution } from '@casefile/runtime';
import { actOf, existing } from '../http/act-of.js';
import { route } from '../http/route.js';
import { comparedLines } from './prompts.js';

const params = z.object({ id: z.string().max(100) });
/** Changed lines that are shown of a candidate. */
const MOST_CHANGES = 200;

function shownEvolution(entry: EvolutionEntry): ShownEvolution {
  const {
    name,
    dataset,
    step: _step,
    progress: _progress,
    report: _report,
    workedMs: _worked,
    ...rest
  } = entry;
  return { ...rest, weights: { ...rest.weights }, prompt: name, from: dataset };
}

function detail(entry: EvolutionEntry): ShownEvolutionDetail {
  const { plan, evaluations, candidates } = entry.progress as unknown as EvolutionState;
  const remainingEvaluations = plan.mostEvaluations - evaluations;
  const pace = evaluations === 0 ? null : entry.workedMs / evaluations;
  const cases = {
    train: plan.train.length,
    validation: plan.validation.length,
    heldOut: plan.heldOut.length,
  };
  return {
    ...shownEvolution(entry),
    cases,
    evaluations,
    mostEvaluations: plan.mostEvaluations,
    etaSeconds:
      entry.state === 'running' && pace !== null ? Math.ceil((remainingEvaluations * pace) / 1000) : null,
    candidates: candidates.map((candidate, index) => {
      const { parent, state, reason, scores, text } = candidate;
      const isWhole = plan.validation.every((id) => Object.hasOwn(scores, id));
      return {
        index,
        parent,
        state,
        reason,
        score: isWhole ? meanScore(candidate, plan.validation) : null,
        evaluated: Object.keys(scores).length,
        changes: parent === null ? [] : changedLines(candidates[parent]!.text, text),
        added: addedSentences(text, candidates[0]!.text).slice(0, MOST_CHANGES),
        learntFrom: casesBehind({ plan, candidates }, index),
      };
    }),
    report: entry.report as unknown as EvolutionReport | null,
  };
}

function changedLines(before: string, after: string): ShownEvolutionDetail['candidates'][number]['changes'] {
  return comparedLines(before, after)
    .flatMap(({ change, text }) => (change === 'same' ? [] : [{ change, text }]))
    .slice(0, MOST_CHANGES);
}

/** Returns the route of an act of people on an evolution. */
function actRoute<A extends EvolutionAct, B extends typeof evolutionActSchema>(
  act: A,
  { operationId, summary, body }: { operationId: string; summary: string; body: B },
) {
  return route({
    method: 'post',
    path: `/evolutions/{id}/${act}`,
    operationId,
    right: 'operator',
    tag: 'evolutions',
    summary,
    input: { params, body },
    problems: [404, 409],
    answer: 'The evolution. 409: its state does not allow it',
    response: evolutionSchema,
    handler: async (ports, { params: { id }, body: actBody }) => {
      const { budgetUsd, ...stated } = actBody as z.infer<typeof resumeEvolutionSchema>;
      const entry = await ports.store.evolutions.act(id, act, actOf(ports, stated), budgetUsd);
      return shownEvolution(existing('evolution', id, entry));
    },
  });
}

/** Prompt evolutions: what runs, the lineage of the texts, and the acts of people. */
export const evolutionRoutes = [
  route({
    method: 'get',
    path: '/evolutions',
    operationId: 'listEvolutions',
    right: 'reviewer',
    tag: 'evolutions',
    summary: 'List the evolutions of prompts, the newest first',
    input: {
      query: z.strictObject({
        playbook: kindField(),
        prompt: z.string().max(100).optional().describe('Name of the prompt, with `playbook`.'),
      }),
    },
    answer: '{ evolutions, nextCursor }',
    response: evolutionListSchema,
    handler: async ({ store }, { query: { playbook, prompt } }) => {
      const all = await store.evolutions.list();
      const matching = all.filter(
        (one) =>
          (playbook === undefined || one.playbook === playbook) &&
          (prompt === undefined || one.name === prompt),
      );
      return { evolutions: matching.map(shownEvolution), nextCursor: null };
    },
  }),
  route({
    method: 'post',
    path: '/evolutions',
    operationId: 'startEvolution',
    right: 'operator',
    tag: 'evolutions',
    summary: 'Start to evolve a prompt on labelled cases',
    input: { body: startEvolutionSchema },
    problems: [404, 409],
    answer:
      'The evolution, which runs. 400 names what is missing, such as labels below 20. 409: one of the prompt is running or paused',
    status: 201,
    response: evolutionSchema,
    handler: async ({ store, prompts, newRunSettings, providers, newId }, { body }) => {
      const { playbook, prompt: name, from: dataset = null, evaluations, actId = newId(), ...rest } = body;
      const { reason = `evolve ${playbook}/${name}` } = rest;
      const own = { id: newId(), name, dataset, actId, reason, mostEvaluations: evaluations };
      const planned = await planEvolution(
        { ...rest, playbook, ...own },
        { store, installed: prompts, newRunSettings, providers },
      );
      return shownEvolution(await store.evolutions.create(planned));
    },
  }),
  route({
    method: 'get',
    path: '/evolutions/{id}',
    operationId: 'getEvolution',
    right: 'reviewer',
    tag: 'evolutions',
    summary: 'One evolution: progress, cost, the lineage of the texts, and the report',
    input: { params },
    answer: 'The evolution with its `candidates` and its `report`',
    response: evolutionDetailSchema,
    handler: async ({ store }, { params: { id } }) =>
      detail(existing('evolution', id, await store.evolutions.get(id))),
  }),
  actRoute('pause', {
    operationId: 'pauseEvolution',
    summary: 'Pause an evolution: runs that are open end, and no other is opened',
    body: evolutionActSchema,
  }),
  actRoute('resume', {
    operationId: 'resumeEvolution',
    summary: 'Resume a paused evolution, with another budget if given',
    body: resumeEvolutionSchema,
  }),
  actRoute('stop', {
    operationId: 'stopEvolution',
    summary: 'Stop an evolution for good, without a report',
    body: evolutionActSchema,
  }),
];
