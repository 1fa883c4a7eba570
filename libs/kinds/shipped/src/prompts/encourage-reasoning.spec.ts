import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { PROMPT_KINDS, z, type ModelMessage, type ModelRequest, type PromptKind } from '@casefile/contracts';
import { questionRequest } from '@casefile/pipeline/ask';
import { examinationQuestion } from '@casefile/pipeline/parts/examination-question';
import type { ExaminationPrompt } from '@casefile/pipeline/parts/examined-matter';
import type { Conclusion } from '@casefile/pipeline/scam/burden-of-proof';
import { messageMatter } from '@casefile/pipeline/scam/message-examination';
import { type ReasonInput, encourageReasoning } from '@casefile/pipeline/strategy';
import { crossExamination as messageExamination } from '@casefile/message-screening/examine';
import { crossExamination as textExamination } from '@casefile/scam-verdict/examine';
import { drawMark } from '@casefile/pipeline/fence';
import { normalQuestion, strictQuestion } from '@casefile/message-screening/question';
import { playbooks } from '../loaded.js';
import { promptSources } from '../testing/prompt-sources.js';
import { policyCheck } from '@casefile/policy-check/playbook';
import { incident } from '@casefile/incident/playbook';
import { crossExamination, thinkAloud as incidentThinkAloud } from '@casefile/incident/model/prompts';
import { controller } from '@casefile/policy-check/model/controller';
import { crossExamination as checkExamination } from '@casefile/policy-check/model/react-prompt';
import { scamQuestion } from '@casefile/scam-verdict/question';
import { anIncidentInput, CLUSTER_TOOLS } from '@casefile/incident/testing/incident-builders';
import { goldenFile } from '@casefile/contracts/testing';
import { shippedPrompts } from '@casefile/pipeline/testing/shipped-prompts';
import { aPolicyInput, policyTools } from '@casefile/policy-check/testing/policy-world';
import {
  aDraft,
  anInput,
  complaints,
  evidenceOf,
  failedItem,
  reports,
} from '@casefile/pipeline/testing/scam-builders';
import {
  aMatch,
  aScreeningInput,
  similarScams,
} from '@casefile/message-screening/testing/screening-builders';
import { call, calls, playTurns } from '@casefile/pipeline/testing/turn-world';
import { reflectionQuestion } from '@casefile/pipeline/evolve/reflecting';
import { chooseSections } from '@casefile/pipeline/tool-questions';
import { summariseResult } from '@casefile/pipeline/tool-questions';
import { summariseSections } from '@casefile/pipeline/tool-questions';

const MARK = '0123456789abcdef';
const DRAWN = drawMark({ seed: 'aa', deadlineAt: null }, 1);
const ALOUD = shippedPrompts.of(controller.thinkAloud!);
const INCIDENT_ALOUD = shippedPrompts.of(incidentThinkAloud);
/** The encouragement of the kind that a prompt belongs to. */
const aloudOf = (name: string) => (name.startsWith('incident.') ? INCIDENT_ALOUD : ALOUD);
const PROBLEM = 'The answer was cut off.';
const scam = anInput(evidenceOf(reports(47), complaints(12), failedItem('exa_search')));
const screened = aScreeningInput(evidenceOf(similarScams(aMatch())));
const strict = aScreeningInput({ items: [] }, { mode: 'strict', language: { code: 'ta', certainty: 1 } });
const section = { nodeId: '0002', title: '4.1 Household' };

/** Turns of a real check: the first one, one after a look-up, and the one that may only finish. */
async function turnsOfACheck(): Promise<[string, ModelRequest][]> {
  const { paid } = await playTurns({
    playbook: policyCheck,
    input: aPolicyInput(),
    unit: 'c1',
    tools: policyTools(),
    script: (request) => (request.tools!.length === 1 ? {} : calls(call('facts_get', { name: 'loss_date' }))),
    options: { maxIterations: 2 },
  });
  const [first, further, finishing] = paid;
  return [
    ['policy-check.first-turn', first!],
    ['policy-check.further-turn', further!],
    ['policy-check.finishing', finishing!],
  ];
}

/** Each kind of request of a real investigation, and the conclusion of one whose first answer could not be read. */
async function requestsOfAnInvestigation(): Promise<[string, ModelRequest][]> {
  const stop = calls(call('stop', { reason: 'it is settled' }));
  const look = calls(call('cluster__disk_usage', { instance: 'db-2' }));
  const script = (request: ModelRequest, step: number) =>
    request.kind === 'tool-selection' ? (step === 1 ? look : stop) : { content: 'no JSON' };
  const usage = { asks: z.looseObject({}), answer: () => ({ text: 'db-2 97 %' }) };
  const tools = Object.fromEntries(
    [...CLUSTER_TOOLS.map(({ name }) => name), 'stored_result'].map((name) => [name, usage]),
  );
  const { paid } = await playTurns({ playbook: incident, input: anIncidentInput(), unit: '', script, tools });
  const names = [
    'select-tools',
    'partial-analysis',
    'select-further',
    'final-analysis',
    'final-analysis-retry',
  ];
  return names.map((name, i) => [`incident.${name}`, paid[i]!]);
}

const LOG = '09:01 error: the pool is used up\n09:02 error: the pool is used up';

const reflected = {
  text: '<!-- section: system -->\nYou judge a note.',
  cases: [
    {
      input: LOG,
      answer: '{"level":"low"}',
      expected: '{"level":"high"}',
      score: '0.10',
      problems: ['too low'],
    },
  ],
  tried: [{ added: 'Weigh the length.', reason: 'not_better' }],
};

const examination = examinationQuestion(
  {
    prompt: crossExamination,
    about: 'CheckoutErrorRateHigh (warning)',
    claims: [{ id: 'C1', text: 'A cause of the alert is: the pool is used up', sources: ['E2'] }],
    sources: [{ id: 'E2', title: 'cluster__logs {"service":"checkout"}', text: LOG }],
  },
  shippedPrompts.of(crossExamination),
);

const examinationOfACheck = examinationQuestion(
  {
    prompt: checkExamination,
    about: 'policy: Claims\ncriterion: Was the claim notified in time?',
    claims: [{ id: 'C1', text: 'The criterion is met: day 18 of 30.', sources: ['4.1 Notice', 'facts'] }],
    sources: [
      { id: '4.1 Notice', title: '4.1 Notice', text: 'Notify within 30 days of the loss date.' },
      { id: 'facts', title: 'Facts of the case', text: 'loss_date = 2026-04-02\nnotified_on = 2026-04-20' },
    ],
  },
  shippedPrompts.of(checkExamination),
);

const examinationOf = (conclusion: Conclusion, input: ReasonInput, prompt: ExaminationPrompt) =>
  examinationQuestion(
    messageMatter(
      conclusion,
      { ...input, draft: aDraft({ explanation: 'It asks for a fee [E1].' }) },
      prompt,
    ),
    shippedPrompts.of(prompt),
  );
const examinationOfAText = examinationOf('scam', scam, textExamination);
const examinationOfAMessage = examinationOf('harmless', strict, messageExamination);

/** The prompts that the product sends, with every form they take. */
async function everyPrompt(): Promise<[string, ModelRequest][]> {
  const sections = [{ ...section, summary: 'Within 30 days.', depth: 0, below: 2 }];
  const offered = { query: 'When must a claim be notified?', sections, limit: 4 };
  return [
    ['scam-verdict.ask', questionRequest(scamQuestion.about(scam, shippedPrompts), MARK)],
    [
      'scam-verdict.retry',
      questionRequest(scamQuestion.about(scam, shippedPrompts), MARK, {
        content: '{"riskLevel":',
        problem: PROBLEM,
      }),
    ],
    ['message-screening.normal', questionRequest(normalQuestion.about(screened, shippedPrompts), MARK)],
    [
      'message-screening.normal-retry',
      questionRequest(normalQuestion.about(screened, shippedPrompts), MARK, {
        content: '{}',
        problem: PROBLEM,
      }),
    ],
    ['message-screening.strict', questionRequest(strictQuestion.about(strict, shippedPrompts), MARK)],
    [
      'message-screening.strict-retry',
      questionRequest(strictQuestion.about(strict, shippedPrompts), MARK, {
        content: '{}',
        problem: PROBLEM,
      }),
    ],
    ['scam-verdict.cross-examination', questionRequest(examinationOfAText, MARK)],
    [
      'scam-verdict.cross-examination-retry',
      questionRequest(examinationOfAText, MARK, { content: '{"claims":[]}', problem: 'C1 has no answer' }),
    ],
    ['message-screening.cross-examination', questionRequest(examinationOfAMessage, MARK)],
    [
      'message-screening.cross-examination-retry',
      questionRequest(examinationOfAMessage, MARK, {
        content: '{"claims":[]}',
        problem: 'C1 has no answer',
      }),
    ],
    ...(await turnsOfACheck()),
    ...(await requestsOfAnInvestigation()),
    ['incident.cross-examination', questionRequest(examination, MARK)],
    [
      'incident.cross-examination-retry',
      questionRequest(examination, MARK, { content: '{"claims":[]}', problem: 'C1 has no answer' }),
    ],
    ['policy-check.cross-examination', questionRequest(examinationOfACheck, MARK)],
    [
      'policy-check.cross-examination-retry',
      questionRequest(examinationOfACheck, MARK, { content: '{"claims":[]}', problem: 'C1 has no answer' }),
    ],
    [
      'tool-result.summarise',
      questionRequest(
        summariseResult({ tool: 'cluster__logs', args: { service: 'checkout' }, text: LOG }, shippedPrompts),
        DRAWN,
      ),
    ],
    ['evolution.reflect', questionRequest(reflectionQuestion(reflected, shippedPrompts), MARK)],
    ['pi-search.choose', questionRequest(chooseSections(offered, shippedPrompts), DRAWN)],
    [
      'policy.summarise',
      questionRequest(
        summariseSections('Claims', [{ ...section, text: 'Within 30 days.' }], shippedPrompts),
        DRAWN,
      ),
    ],
  ];
}

const golden = (name: string) => new URL(`__golden__/${name}.txt`, import.meta.url);
function bytes({ messages, tools = [], ...asked }: ModelRequest): string {
  const said = messages.map(({ role, content, ...rest }) => {
    const more = Object.keys(rest).length === 0 ? '' : `${JSON.stringify(rest)}\n`;
    return `--- ${role}\n${content}\n${more}`;
  });
  const offered = tools.map((tool) => `--- tool\n${JSON.stringify(tool)}\n`);
  return [`${JSON.stringify(asked)}\n`, ...said, ...offered].join('\n');
}

describe('S2-03 S2-08 the encouragement to think aloud', () => {
  it('reaches the turns that choose tools and no other prompt of the product, byte for byte', async () => {
    const aloud: string[] = [];
    for (const [name, request] of await everyPrompt()) {
      const off = bytes(request);
      const on = bytes(encourageReasoning(request, aloudOf(name)));
      expect(off).toBe(goldenFile(golden(name), off));
      if (on === off) continue;
      aloud.push(name);
      expect(on).toBe(goldenFile(golden(`${name}.aloud`), on));
    }
    expect(aloud).toEqual([
      'policy-check.first-turn',
      'policy-check.further-turn',
      'incident.select-tools',
      'incident.select-further',
    ]);
  });

  it('is checked against every prompt', async () => {
    const held = new Set((await everyPrompt()).map(([, { promptId }]) => promptId));
    // Those of research are in two languages, and have their golden files next to them.
    const here = promptIds().filter((id) => !id.startsWith('research/'));
    expect([...held].sort()).toEqual(here.sort());
  });

  it('belongs to each playbook that has a model choose tools, with four questions of its own', () => {
    const choosing = playbooks.filter(({ strategies }) =>
      Object.values(strategies).some(({ tools }) => tools !== undefined),
    );
    expect(choosing.map(({ name }) => name)).toEqual(['policy-check', 'incident']);
    for (const { name, strategies, strategy } of choosing) {
      const { thinkAloud } = strategies[strategy]!;
      expect(thinkAloud?.id).toMatch(new RegExp(`^${name}/`));
      const text = shippedPrompts.of(thinkAloud!).render({ thoughts: {} });
      expect(new Set(text.match(/^- .+\?$/gm)).size).toBe(4);
    }
  });

  it('S2-08 contradicts no rule of the prompts it is added to', async () => {
    for (const [name, request] of [...(await turnsOfACheck()), ...(await requestsOfAnInvestigation())]) {
      const [system] = encourageReasoning(request, aloudOf(name)).messages;
      expect(system!.content).not.toMatch(/tool calls only|nothing else|no (?:other )?(?:words|text|prose)/i);
    }
  });

  it('names itself in the id of the prompt, and leaves what it was given alone', async () => {
    const [, request] = (await turnsOfACheck())[0]!;
    const before = bytes(request);
    const { promptId } = encourageReasoning(request, ALOUD);
    expect(promptId).toBe(`${request.promptId}+policy-check/think-aloud@1`);
    expect(bytes(request)).toBe(before);
  });

  it('changes nothing but the system message, whatever else is said', () => {
    const message = fc.record({ role: fc.constantFrom('user', 'system'), content: fc.string() });
    fc.assert(
      fc.property(fc.array(message), fc.constantFrom(...PROMPT_KINDS), (messages, kind: PromptKind) => {
        const said = messages as ModelMessage[];
        const request: ModelRequest = { promptId: 'p@1', kind, messages: said, maxOutputTokens: 500 };
        const encouraged = encourageReasoning(request, ALOUD);
        if (kind !== 'tool-selection') return void expect(encouraged).toBe(request);
        const skipped = messages[0]?.role === 'system' ? 1 : 0;
        expect(encouraged.messages.slice(1)).toEqual(messages.slice(skipped));
      }),
    );
  });
});

/** The ids of prompts that stand in the sources, encouragements apart. */
function promptIds(): string[] {
  const sources = promptSources().filter((file) => /\.ts$/.test(file) && !/spec\.ts$/.test(file));
  const found = sources.flatMap((file) => [
    ...readFileSync(file, 'utf8').matchAll(/'([a-z-]+\/[a-z-]+@\d+)'/g),
  ]);
  return [...new Set(found.map(([, id]) => id!))].filter((id) => !id.includes('/think-aloud@'));
}
