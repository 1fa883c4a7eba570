import {
  asRecorded,
  buildReport,
  byRules,
  confidenceScale,
  defineKind,
  definePlaybook,
  fromPayload,
  inertText,
  listSection,
  lookUps,
  matching,
  mechanical,
  neverRepeated,
  wordOf,
} from '@casefile/kit';
import { bySize, dispositionOf, judgedSchema } from './decide.ts';
import { inputProblems, preparedInput } from './input.ts';
import { options } from './options.ts';
import { rules } from './rules.ts';

export default defineKind({
  playbook: definePlaybook({
    name: 'kind-name',
    // Raise it when the behaviour changes.
    version: '1',
    intake: {
      claims: matching(
        'Its payload has a subject and an amount.',
        (alert) => inputProblems(alert).length === 0,
      ),
      problems: inputProblems,
      repeats: neverRepeated,
      entrances: [],
    },
    triage: fromPayload(preparedInput),
    // Wire names of the tools that a run may ask.
    tools: [],
    collect: lookUps({ plan: () => [], waitMs: () => 1_000 }),
    strategies: { rules: byRules('rules', rules) },
    strategy: 'rules',
    thinking: 'as-provider',
    maxRounds: 1,
    onOutage: 'fallback',
    critique: mechanical(() => ''),
    write: ([unit]) =>
      buildReport(
        'Amount of a request',
        [listSection('Why', [unit!.draft.explanation]), inertText(unit!.brief.text)],
        unit!,
      ),
    decision: bySize,
    outward: asRecorded,
    presenting: {
      word: ({ outcome }) => wordOf(outcome['action']),
      answer: ({ size }) => wordOf(size),
      // Fields that a reviewer may correct, and that labelled sets are compared by.
      judged: judgedSchema,
      impliedDisposition: dispositionOf,
      rule: 'A large amount is stopped, a medium one needs review, a small one passes. Nothing passes if a look-up or a model failed.',
      labels: { amount: 'amount' },
      scales: (verdict) => [confidenceScale(verdict)],
    },
    options,
  }),
  commandLine: () => import('./evaluation.ts'),
});
