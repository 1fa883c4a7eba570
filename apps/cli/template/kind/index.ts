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
  //+model singleShot,
  //+tool,policy toolWaitOf,
  wordOf,
} from '@casefile/kit';
//+policy import type { RunSettings } from '@casefile/kit';
//+tool,policy import type { ToolRequest } from '@casefile/kit';
import { bySize, dispositionOf, judgedSchema } from './decide.ts';
import { inputProblems, inputSchema, preparedInput } from './input.ts';
import { options } from './options.ts';
//+model import { question } from './question.ts';
//+tool import { register } from './register.ts';
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
    tools: [
      //+tool register.name,
      //+policy 'sections_search',
    ],
    collect: lookUps({
      plan: () => [], //-tool,policy
      waitMs: () => 1_000, //-tool,policy
      //+tool,policy plan: ({ brief, settings }) => {
      //+tool,policy   const subject = String(brief.input?.['subject']);
      //+tool,policy   const requests: ToolRequest[] = [
      //+tool     { tool: register.name, args: { subject } },
      //+policy     { tool: 'sections_search', args: { ...policyOf(settings), query: subject } },
      //+tool,policy   ];
      //+tool,policy   return requests;
      //+tool,policy },
      //+tool,policy waitMs: toolWaitOf(options),
    }),
    strategies: {
      //+model 'single-shot': singleShot(question, rules, options),
      rules: byRules('rules', rules),
    },
    strategy: 'rules', //-model
    //+model strategy: 'single-shot',
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
      payload: inputSchema,
      // How a case is named, and the sections of its page.
      display: {
        title: 'payload.subject',
        line: ['payload.subject', 'payload.amount'],
        sections: [{ show: 'facts', title: 'Request', of: ['payload.subject', 'payload.amount'] }],
      },
      scales: (verdict) => [confidenceScale(verdict)],
    },
    options,
  }),
  //+tool tools: [register],
  commandLine: () => import('./evaluation.ts'),
});
//+policy
//+policy function policyOf({ options: frozen }: RunSettings) {
//+policy   const { policy, policyVersion } = options.read(frozen);
//+policy   return { policyId: policy, version: policyVersion };
//+policy }
