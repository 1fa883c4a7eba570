// Parsers of external text in the playbooks, and how each is called with a text.
import { load, section } from './parser-inputs.mjs';

const aRead = (text) => ({
  id: 'E2',
  tool: 'a__b',
  args: {},
  toolCallId: null,
  source: 'a',
  at: '2026-03-02T09:00:00Z',
  said: '',
  gap: null,
  text,
});
const RESEARCH = 'libs/kinds/research/src/check/';
/** Checks a sentence of a report against the text as a source, and the text as a report. */
const checked = async (m, text, sentence) => {
  const { prepareOriginal } = await load(`${RESEARCH}passages.ts`);
  const original = prepareOriginal('E1', { text, told: 'site', published: null, tier: 5, type: 'social' });
  const basis = { originals: [original], query: 'is it so?', from: null, to: null, maxTier: 5 };
  return m.checkReport(sentence, basis);
};

/** An answer whose policy, rationale and facts are the text. */
function policyGround(text) {
  const section = { nodeId: '1', name: '1 A', title: '1 A', text: text.slice(0, 16_000) };
  const cited = text.slice(0, 2_000);
  const rationale = text.slice(0, 4_000);
  const value = text.slice(0, 400);
  const terms = { facts: [value], values: [value], cited: [cited], asked: ['time'] };
  return {
    status: 'MET',
    asked: 'Was it in time?',
    rationale,
    title: 'A',
    language: 'en',
    sections: [section],
    sentences: [{ section, text: cited, quotes: [cited.slice(0, 40)] }],
    facts: [{ id: 'a#1', name: 'a', value, confidence: 1 }],
    terms,
    result: {},
  };
}

export const PARSERS_OF_KINDS = {
  [`${RESEARCH}check-report.ts`]: async (m, text) => [
    await checked(m, text, 'At least 5 people died on 5 May, the Safety Board said, not 7 [E1].'),
    await checked(m, 'At least 5 people died.', `${text.slice(0, 20_000)} [E1]`),
  ],
  [`${RESEARCH}attribution.ts`]: (m, text) => [m.absencesIn(text), m.isHearsay(text)],
  'libs/kinds/policy-check/src/quoted-sentences.ts': (m, text) =>
    m.quotedSentences({ answer: { sections: [{ nodeId: '1', title: text.slice(0, 1_000), text }] } }, [
      { kind: 'quote', nodeId: '1', quote: 'within 30 days', title: '', pages: null },
    ]),
  'libs/kinds/policy-check/src/claims/typed-claims.ts': (m, text) => m.comparedParts(policyGround(text)),
  'libs/kinds/incident/src/alert.ts': (m, text) => {
    const alert = {
      text,
      payload: { title: text, severity: text, status: text, message: text, deep: { text } },
    };
    return [m.alertProblems(alert), m.incidentText(m.readIncident(alert), text), m.looksMonitored(alert)];
  },
  'libs/kinds/incident/src/hazards.ts': (m, text) => m.stepHazard(text),
  'libs/kinds/incident/src/tool-titles.ts': (m, text) =>
    m.titling({ items: [], tools: [], toolsOut: [{ name: 'a__b', why: '' }] })(text),
  'libs/kinds/incident/src/prose-check.ts': (m, text) =>
    m.checkSentences(text, { reads: [aRead(text)], known: [text], runbookId: null }),
  'libs/kinds/incident/src/timeline.ts': (m, text) =>
    m.incidentResultTimeline(
      { hypotheses: [], ruledOut: [], resolvedAt: null, lookUps: [] },
      { incident: { startsAt: '2026-03-02T09:00:00Z', name: 'a' }, reads: [aRead(text)] },
    ),
  'libs/kinds/incident/src/sent/outage-in-text.ts': (m, text) => [
    m.outageInText(`the server is down ${text}`),
    m.isCalledCritical(text),
  ],
  'libs/kinds/incident/src/sent/name-in-text.ts': (m, text) => m.titleInText(text),
  'libs/kinds/incident/src/sent/severity.ts': (m, text) => [m.severityOfValue(text), m.severityInText(text)],
  'libs/kinds/incident/src/sent/state.ts': (m, text) => [
    m.stateOfValue(text),
    m.stateInLines(text),
    m.textStateIn(text, false),
  ],
  'libs/kinds/incident/src/contradictions.ts': (m, text) =>
    m.alarmsIn({ id: 'E2', text }, '2026-03-02T09:00:00Z'),
  'libs/kinds/incident/src/false-alarm.ts': (m, text) =>
    m.doubtsAbout({
      incident: {
        name: text,
        summary: text,
        labels: { a: text },
        annotations: { description: text },
        startsAt: null,
      },
      result: { severity: 'warning' },
      reads: [{ id: 'E2', args: text, text, gap: null, at: '2026-03-02T09:00:00Z' }],
      review: null,
      options: { falseAlarmLookUps: 2 },
    }),
  'libs/kinds/message-screening/src/answer.ts': (m, text) => m.distinctFlags([text]),
  'libs/pipeline/src/scam/tool-readings.ts': (m, text) =>
    m.complaintsAmong(
      [{ url: 'https://example.org', title: text, snippet: text, published: '' }],
      'a.example',
    ),
  'libs/kinds/policy-check/src/rules/sections-and-facts.ts': (m, text) =>
    m.foundSections({
      items: [{ toolName: 'sections_search', success: true, result: { nodes: [section(text)] } }],
    }),
  'libs/kinds/policy-check/src/rules/governing-requirement.ts': async (m, text) => {
    const { foundSections, namedFacts } = await load(
      'libs/kinds/policy-check/src/rules/sections-and-facts.ts',
    );
    const nodes = [
      {
        ...section('A claim must be notified within 30 days of the loss date.'),
        title: '2 Notice of claims',
      },
      { ...section(text), nodeId: '2' },
      { ...section('Section 2 was amended.'), nodeId: '3' },
    ];
    const items = [{ toolName: 'sections_search', success: true, result: { nodes } }];
    const fact = (name, value) => ({ id: name, name, value, confidence: 1 });
    return m.governingRequirement(foundSections({ items }), {
      asked: ['claim', 'notifi'],
      known: ['claim'],
      facts: namedFacts([
        fact('loss_date', '2026-03-01'),
        fact('notified_on', '2026-03-09'),
        fact('claim_kind', text.slice(0, 40)),
        fact('statement', text.slice(0, 4_000)),
      ]),
      question: 'Was the claim notified in time?',
      language: 'en',
      isPlainQuestion: true,
    });
  },
  'libs/kinds/policy-check/src/rules/plain-limit.ts': async (m, text) => {
    const { plainLanguage } = await load('libs/kinds/policy-check/src/rules/plain-words.ts');
    return m.plainLimit({ text: text.slice(0, 500), section: { node: section('') } }, plainLanguage('en'));
  },
};
