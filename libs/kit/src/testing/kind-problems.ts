import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  alertInputSchema,
  alertTitle,
  objectsIn,
  shownSections,
  verdictSchema,
  z,
  type Draft,
  type Evidence,
  type ModelResponse,
} from '@casefile/contracts';
import { checkPlaybooks, kindDisplay, strategyPrompts, type Playbook } from '@casefile/pipeline';
import { shippedPrompts } from '@casefile/pipeline/testing/shipped-prompts';
import { checkedKind } from '../check-kind.js';
import type { ExampleCase, Kind } from '../kind.js';
import type { KindRun } from './run-kind.js';

const VERSIONED = /^[a-z][a-z0-9/-]*@[1-9][0-9]*$/;

/**
 * Returns what a program would refuse at its start, and problems of the prompts and of the example; empty: none. That
 * the tools exist is checked at the start alone.
 */
export function kindProblems(kind: Kind): string[] {
  const checked = checkedKind({ default: kind });
  if (Array.isArray(checked)) return checked.map(({ path, message }) => `${path}: ${message}`);
  const { playbook, example } = kind;
  return [
    ...problemOf(() => checkPlaybooks({ playbooks: [playbook], tools: playbook.tools })),
    ...problemOf(() => playbook.options.check(playbook.options.defaults)),
    ...promptProblems(playbook),
    ...(example === null ? [] : problemOf(() => checkExample(example, playbook))),
  ];
}

/** Returns the problems of a playbook's prompts: their ids, the names of their files, and their texts. */
export function promptProblems(playbook: Pick<Playbook, 'name' | 'strategies'>): string[] {
  return strategyPrompts(playbook).flatMap((prompt) => {
    const { id, file } = prompt;
    const name = `${id.split('/').at(-1)}.md`;
    return [
      ...(VERSIONED.test(id) ? [] : [`${id}: expected an id with a version, such as kind/answer@1`]),
      ...(id.startsWith(`${playbook.name}/`)
        ? []
        : [`${id}: expected an id that begins with ${playbook.name}/`]),
      ...(basename(fileURLToPath(file)) === name ? [] : [`${id}: expected a file with the name ${name}`]),
      ...problemOf(() => shippedPrompts.of(prompt)),
    ];
  });
}

/**
 * Returns problems of the answer schemas of a run's questions, and of the answers that the kind read: an answer of which
 * a draft was made fits its schema.
 */
export function answerProblems({ record, artifacts }: KindRun): string[] {
  return record.answers.flatMap(({ at, request, answer }, i) => {
    if (!('answerSchema' in request) || request.answerSchema === undefined) return [];
    const { name, schema } = request.answerSchema;
    if (schema['type'] !== 'object') return [`${name}: expected a schema with the type "object" at its root`];
    const [unit, stage, round] = at.split('/');
    const isLast =
      record.answers.findLastIndex((one) => one.at.startsWith(`${unit}/${stage}/${round}/model`)) === i;
    const draft = artifacts.find(
      (one) => one.unit === unit && one.artifact === 'draft' && `${one.round}` === round,
    );
    const { method, fallbackReason } = (draft?.body ?? {}) as Partial<Draft>;
    if (
      stage !== 'reason' ||
      !isLast ||
      method !== 'llm' ||
      fallbackReason !== undefined ||
      'error' in answer
    )
      return [];
    const read = objectsIn((answer.value as ModelResponse).content);
    const fits = z.fromJSONSchema(schema);
    return read.some((one) => fits.safeParse(one).success)
      ? []
      : [`${name}: the kind read an answer that does not fit its schema`];
  });
}

/**
 * Returns what the kind declares about the page of a case and what this run has no value for: `title`, and the titles of
 * sections.
 */
export function emptyParts(
  { playbook: { presenting } }: Kind,
  { record, artifacts, verdict }: KindRun,
): string[] {
  const { alert } = record;
  const display = kindDisplay(presenting);
  const bodyOf = (artifact: string) =>
    artifacts.findLast((one) => one.artifact === artifact && one.unit === '')?.body ?? {};
  const { items = [] } = bodyOf('evidence') as Partial<Evidence>;
  const { answer = {} } = bodyOf('draft') as Partial<Draft>;
  const of = {
    alert,
    evidence: items,
    answer,
    outcome: verdict.outcome,
    hasImage: alert.image !== undefined,
  };
  const shown = shownSections(display.sections, of).map(({ title }) => title);
  return [
    ...(alertTitle(alert, display) === '' ? ['title'] : []),
    ...display.sections.flatMap(({ title }) => (shown.includes(title) ? [] : [title])),
  ];
}

function checkExample({ alert, verdict }: ExampleCase, { intake }: Playbook): void {
  alertInputSchema.parse(alert);
  verdictSchema.parse(verdict);
  const problems = intake.problems(alert);
  if (problems.length > 0) throw new Error(`example: ${JSON.stringify(problems)}`);
}

function problemOf(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}
