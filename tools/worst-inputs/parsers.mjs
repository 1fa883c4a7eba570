// All parsers of external text.
import { WRITTEN, isTest, bounds, bytes, document, load, question, refused } from './parser-inputs.mjs';
export { load } from './parser-inputs.mjs';
import { PARSERS_OF_KINDS } from './parsers-of-kinds.mjs';

/** Text of a prompt whose questions the parser reads again. */
const PROMPT_TEMPLATE = [
  '<!-- section: system -->\nJudge.',
  '<!-- section: text -->\nText:\n{{text}}',
  '<!-- section: task -->\nBy {{schema}}, in {{size}} words.',
].join('\n');

/**
 * Parsers by module, as functions of a text. A module that builds a pattern at run time must be reached by
 * one of them. Only the front matter of Markdown is tested: micromark is not linear (lines of `==`). Only
 * commands of the CLI parse Markdown: documents that the user imports, and reports written with all markup
 * escaped.
 */
const PARSERS = {
  ...PARSERS_OF_KINDS,
  'libs/knowledge/src/runbooks/match-runbook.ts': (m, text) =>
    m.matchRunbook(
      { labels: { a: text }, alertType: text, url: text },
      {
        runbooks: [],
        rules: [{ runbook: text, labels: {}, alerts: [text] }],
        default: null,
        mayRead: () => false,
      },
    ),
  'libs/knowledge/src/scam-reports/read-threat-feed.ts': (m, text) =>
    ['domain', 'url', 'ip', 'email'].map((type) =>
      refused(() => m.readThreatFeed(Buffer.from(text), { type, risk: 80, source: 'feed' }, () => undefined)),
    ),
  'libs/runtime/src/schedules/due-times.ts': (m, text) => m.cronProblem(text),
  'libs/contracts/src/nests-deeper.ts': (m, text) => m.nestsDeeper(text, 200),
  'libs/knowledge/src/policies/documents/formats/markdown-pieces.ts': (m, text) =>
    refused(() => m.markdownPieces(text)),
  'libs/knowledge/src/policies/documents/formats/pdf.ts': (m, text) =>
    refused(() => m.refuseUnmappedLetters([text])),
  'libs/knowledge/src/runbooks/runbook-names.ts': (m, text) => {
    const runbook = { name: text, title: text, heading: text, source: text, address: text };
    return [m.runbookNames(runbook), m.isNamed(runbook, text), m.sameLastParts(runbook, text)];
  },
  'libs/knowledge/src/runbooks/read-runbook.ts': (m, text) => [
    refused(() => m.readRunbook({ name: 'a.md', bytes: bytes(text), source: 'a.md', address: null })),
    refused(() =>
      m.readRunbook({ name: 'a.md', bytes: bytes(`---\n${text}\n---\nx`), source: 'a.md', address: null }),
    ),
  ],
  'libs/pipeline/src/entities/extract-entities.ts': (m, text) => m.extractEntities(text),
  'libs/pipeline/src/language/detect-language.ts': (m, text) =>
    m.detectLanguage(text, async () => ({ language: 'en', probability: 1 })),
  'libs/pipeline/src/language/without-disguises.ts': (m, text) => [
    m.withoutDisguises(text),
    m.markHidden(text),
  ],
  'libs/pipeline/src/mail/correspondents.ts': (m, text) =>
    m.correspondentDomains({ text: `From: ann@acme.example\n${text}`, notes: [] }),
  'libs/pipeline/src/mail/read-mail.ts': (m, text) => [
    m.readMail(text),
    m.readMail(`<p>${text}</p>`),
    m.readMail(`From: a@mail.example\nMIME-Version: 1.0\n\n${text}`),
    m.readMail(`From: a@mail.example\nMIME-Version: 1.0\nSubject: ${text}\n\nx`),
    m.readMail(
      `From: a@mail.example\nMIME-Version: 1.0\nContent-Type: text/html\nContent-Disposition: attachment\n\n<p>${text}</p>`,
    ),
  ],
  'libs/pipeline/src/prompts/render-again.ts': (m, text) => [
    m.renderAgain(text, PROMPT_TEMPLATE, PROMPT_TEMPLATE),
    m.renderAgain(`Judge.\n\nText:\n${text}\n\nBy {}`, PROMPT_TEMPLATE, PROMPT_TEMPLATE),
  ],
  'libs/pipeline/src/evolve/check-candidate.ts': async (m, text) => {
    const { definePrompt } = await load('libs/pipeline/src/prompts/prompt.ts');
    const sections = { system: [], text: ['text'], task: ['schema', 'size'] };
    const prompt = definePrompt({ id: 'kind/asked@1', file: new URL('file:///none'), sections });
    const world = { prompt, shipped: PROMPT_TEMPLATE, parent: PROMPT_TEMPLATE, training: [text] };
    const longer = PROMPT_TEMPLATE.replace('Judge.', () => `Judge.\n${text}`);
    const changed = PROMPT_TEMPLATE.replace('Judge.', 'Judge. Read each of the dates twice.');
    return [
      m.checkCandidate(longer, world),
      m.checkCandidate(changed, world),
      m.checkCandidate(changed, { ...world, parent: longer }),
    ];
  },
  'libs/pipeline/src/sent-values.ts': (m, text) => [
    m.isPointer(`/${text}`),
    m.valueAt({ a: [text] }, `/a/${text}`),
    m.labelsIn([text, { name: text, value: text }]),
  ],
  'libs/pipeline/src/text-signals/message-signs.ts': (m, text) => m.messageSigns(text),
  'libs/pipeline/src/text-signals/read-text-signals.ts': (m, text) => m.readTextSignals(text),
  'libs/pipeline/src/text-signals/asks-in-other-languages.ts': (m, text) => m.asksInOtherLanguages(text),
  'libs/contracts/src/json-in-text.ts': (m, text) => [
    m.firstObjectIn(text),
    m.objectsIn(text),
    m.argumentsIn(text),
    m.spansOfObjects(text),
  ],
  'libs/pipeline/src/claims/check-claim.ts': (m, text) => {
    const dimensions = ['subject', 'quantity', 'time', 'state', 'scope', 'modality', 'order', 'comparison'];
    const startsAt = '2026-03-02T09:00:00Z';
    return ['lines', 'prose'].flatMap((sort) =>
      ['cause', 'now', 'statement'].map((about) =>
        m.checkClaim(text, [{ id: 'E1', quote: text.slice(0, 40), text, sort, at: startsAt }], {
          dimensions,
          aliases: ['db-1'],
          startsAt,
          about,
          denies: about === 'now' ? text : null,
          others: [{ id: 'E2', text, sort, at: null }],
        }),
      ),
    );
  },
  'libs/pipeline/src/claims/claim-language.ts': (m, text) => m.claimLanguage(text),
  'libs/pipeline/src/claims/conditions.ts': (m, text) => m.problemIn(text, 0),
  'libs/pipeline/src/claims/measures.ts': (m, text) => [m.measuresIn(text), m.sharesIn(text)],
  'libs/pipeline/src/claims/segments.ts': (m, text) =>
    ['lines', 'prose'].map((sort) => m.isUnspliced({ text, quote: text.slice(0, 80), sort })),
  'libs/pipeline/src/parts/planted-claims.ts': (m, text) =>
    m.plantClaims(
      {
        about: text,
        claims: [{ id: 'C1', text, sources: ['E1'] }],
        sources: [{ id: 'E1', title: 'logs', text: `db-1 is healthy after 5 min\n${text}` }],
      },
      2,
      text.slice(0, 20),
    ),
  'libs/pipeline/src/claims/times.ts': (m, text) => m.timesIn(text, 0),
  'libs/pipeline/src/reading/find-quote.ts': (m, text) => [
    m.normalQuote(text),
    m.holdsQuote(text, 'no quote of any text'),
    m.nearestPassage(text, 'no quote of any text'),
    m.sameValue({ value: text }, `${text} 1`),
    m.quotesIn(text),
    m.quoteText(text),
  ],
  'libs/pipeline/src/reading/writing.ts': (m, text) => [m.detectWriting(text), m.pointFiguresIn(text)],
  'libs/pipeline/src/reading/quantities.ts': (m, text) => m.quantitiesIn(text),
  'libs/pipeline/src/reading/clauses.ts': (m, text) =>
    m.findOpposite(text.slice(0, 2_000), m.clausesOf(text)),
  'libs/pipeline/src/reading/negation.ts': (m, text) => [m.hasNegation(text), m.absentIn(text)],
  'libs/pipeline/src/reading/dates.ts': (m, text) => m.relativeDatesIn(text, { y: 2026, m: 3, d: 1 }),
  'libs/pipeline/src/reading/figures.ts': (m, text) => m.figuresOtherwise(text),
  'libs/pipeline/src/reading/digits.ts': (m, text) => m.parseNumber(text, 'de'),
  'libs/pipeline/src/reading/number-words.ts': (m, text) => [m.writtenNumber(text), m.wordNumbersIn(text)],
  'libs/pipeline/src/reading/periods.ts': (m, text) => [
    m.questionPeriods(text),
    m.groupPeriod({ within: 'within', count: '30', unit: 'day', link: text }),
  ],
  'libs/pipeline/src/reading/limits.ts': (m, text) => [
    m.limitsIn(text.slice(0, 500), 'en'),
    m.limitsIn(text, 'en'),
    m.figureIn(text, 'de'),
  ],
  'libs/pipeline/src/reading/parse-time.ts': (m, text) => m.parseTime(text),
  'libs/pipeline/src/reading/times-in-text.ts': (m, text) => [
    m.latestTimeIn(text, 0),
    m.sinceInText(text, '2026-03-02T10:00:00Z'),
  ],
  'libs/pipeline/src/reading/record-figures.ts': (m, text) => [
    new m.RecordFigures(text).has(text),
    m.plainFiguresIn(text),
  ],
  'libs/pipeline/src/report-markdown.ts': (m, text) => [m.inertText(text, 1e9), m.codeBlock(text)],
  'libs/pipeline/src/technical-text.ts': (m, text) => [
    m.hostsIn(text),
    m.inertTechnicalText(text, m.hostsIn('alert.example'), 1e9),
  ],
  'libs/pipeline/src/plain-text.ts': (m, text) => [m.plainText(text), m.inLine(text, 1e9)],
  'libs/contracts/src/facts.ts': (m, text) => m.factName(text),
  'libs/contracts/src/section-numbers.ts': (m, text) => [
    m.sectionNumber(text),
    m.sectionsNamed(`${text} section 1`),
  ],
  'libs/llm/src/reasoning-tags.ts': (m, text) => [
    m.splitTags(text, ['think', 'reasoning']),
    m.splitTags(text, m.DEFAULT_TAGS),
  ],
  'libs/llm/src/harmony.ts': (m, text) => m.readHarmony(text),
  'libs/llm/src/offered-tools.ts': (m, text) => [
    m.toolNameFor(text, [{ name: 'x' }, { name: 'facts_get' }]),
    m.callsInText(text, [{ name: 'x' }, { name: 'facts_get' }]),
  ],
  'libs/llm/src/storable.ts': (m, text) => m.storable({ text }),
  'libs/knowledge/src/policies/documents/parse-document.ts': async (m, text) => [
    await document('a.html')(m, text).catch(expected),
    await document('a.txt')(m, text).catch(expected),
  ],
  'libs/knowledge/src/policies/documents/formats/markdown.ts': (m, text) =>
    m.markdown.parse(bytes(`---\n${text}\n---\n`), {}),
  'libs/masking/src/mask.ts': (m, text) =>
    m.maskJson([text, { text, kind: `kind: Secret\ndata:\n  a: ${text}` }]),
  'libs/masking/src/pseudonyms.ts': async (m, text) => {
    const personalData = ['email', 'phone', 'iban', 'card', 'ip', 'national-id'];
    const patterns = [{ name: 'customer', pattern: '(?:[A-Z]{2}-)?[0-9a-z]{4,20}#' }];
    const pseudonyms = new m.Pseudonyms('a case', { rules: 1, personalData, patterns });
    await pseudonyms.learn(text);
    return [pseudonyms.unmask(await pseudonyms.mask(`${text} jane@mail.example`)), pseudonyms.unmask(text)];
  },
  'libs/evidence/src/mcp/message-bounds.ts': (m, text) => {
    const ignore = () => undefined;
    const lines = new m.LineLimit({ bytes: 1e9, values: 1e9 }, ignore, ignore);
    lines.push(Buffer.from(text));
    lines.end();
    return m.refusedLineId({ head: text.slice(0, 1_024), tail: text.slice(-1_024) });
  },
  'libs/contracts/src/count-json.ts': (m, text) => m.countJson(bytes(text)),
  'libs/evidence/src/run-tool.ts': (m, text) => m.plainJson({ text }),
  'libs/knowledge/src/scam-patterns/fold-spelling.ts': (m, text) => m.foldSpelling(text),
  'libs/knowledge/src/scam-patterns/word-index.ts': (m, text) => {
    const index = m.wordIndex();
    index.put({ id: 'p', texts: { en: 'your account is blocked, call this number now to have it back' } });
    return index.nearest(text);
  },
  'libs/contracts/src/storable.ts': (m, text) => m.toStored({ text }),
  'libs/knowledge/src/policies/text-spans.ts': (m, text) => m.textPieces(text, 'en'),
  'libs/runtime/src/intake/body-bounds.ts': (m, text) => refused(() => m.checkBody(bytes(text), bounds)),
  'libs/runtime/src/intake/check-alert.ts': (m, text) => [
    m.imageProblems({ mediaType: 'image/png', base64: text }),
    m.unsafeFields({ text, [text]: [] }, bounds),
  ],
  'libs/runtime/src/intake/custom-webhook.ts': (m, text) => {
    const proof = { header: { name: 'x-token', prefix: '' }, secret: '${TOKEN}' };
    const mapping = { name: ['/a', `/${text.slice(0, 500)}`], labels: ['/b'], text: ['/c'], links: ['/b'] };
    const body = { a: text, b: [text, text], c: text, [text]: text };
    return m
      .customWebhook({ name: 'own', playbook: 'any', mapping, proof })
      .read({ body, raw: bytes(''), headers: {} }, { maxBatch: 10, casePer: 'alert' }, true);
  },
  'libs/runtime/src/intake/verify-proof.ts': (m, text) => {
    const headers = { 'x-sum': text, 'x-time': text };
    const hmac = { header: 'x-sum', prefix: '', algorithm: 'sha256', encoding: 'base64', content: '{body}' };
    const timed = { ...hmac, timestamp: { header: 'x-time', prefix: '' }, content: '{timestamp}.{body}' };
    for (const proof of [{ hmac }, { hmac: timed }, { header: { name: 'x-sum', prefix: '' } }])
      refused(() => m.verifyProof(proof, { raw: bytes(text), headers }, 'a secret', 0));
  },
  'libs/runtime/src/intake/fingerprint.ts': (m, text) => m.bodyDigest({ text }),
  'libs/runtime/src/nest/request-guard.ts': (m, text) => [
    m.isKnownHost({ headers: { host: text } }, ['localhost']),
    m.isSameOrigin({ headers: { host: 'localhost', origin: text } }),
    m.isJson({ 'content-type': text }),
    m.isPlainText({ 'content-type': text }),
  ],
  'libs/knowledge/src/entries/read-entries.ts': async (m, text) => {
    const format = { what: 'file', one: 'entry', read: (value) => ({ value }) };
    for (const input of [text, `[${text}`])
      await m.readEntries(Buffer.from(input), format, () => undefined).catch(expected);
  },
  'libs/knowledge/src/entries/json-elements.ts': (m, text) => [
    refused(() => [...m.jsonElements(Buffer.from(`[${text}`))]),
    refused(() => [...m.jsonElements(Buffer.from(`["${text}"]`))]),
  ],
  'libs/knowledge/src/entries/count-entries.ts': (m, text) => [
    refused(() => m.refuseManyEntries(bytes(text), false)),
    refused(() => m.refuseManyEntries(bytes(text), true)),
    refused(() => m.refuseManyLines(bytes(text))),
  ],
  'libs/kit/src/output/escape.ts': (m, text) => [m.oneLine(text), m.manyLines(text), m.excerpt(text, 80)],
  'libs/kit/src/demonstration/played.ts': (m, text) => [
    refused(() => m.fillReferences('{section 4.1}', text)),
    refused(() => m.fillReferences('{pattern Parcel}', text)),
    refused(() => m.fillReferences('{rdap example.com}', text)),
    refused(() => m.fillReferences(text, text)),
  ],
  'apps/cli/src/demonstration/demonstrate.ts': (m, text) =>
    refused(() => m.playAnswers(WRITTEN, question(text))),
  'libs/kit/src/demonstration/outside-text.ts': (m, text) => [
    m.outsideText(text),
    m.fencedAfter(text, 'Criterion'),
    m.evidenceLines(text),
    m.withoutFenced(text),
  ],
  'apps/llm-simulator/src/agent/observations.ts': (m, text) => [
    m.nodesIn(text),
    m.spansIn(text),
    m.readingsIn(text),
    m.missingIn(text),
    m.wordsShown({ spans: [], nodes: [{ nodeId: 'n', title: '', page: null, text, cut: false }] }),
  ],
  'apps/llm-simulator/src/scam-answers.ts': (m, text) => m.simulateVerdict(text),
  'apps/llm-simulator/src/answer-compromised.ts': (m, text) => m.answerCompromised(question(text)),
  'apps/dashboard/src/format/visible.ts': (m, text) => m.visible(text),
  'apps/dashboard/src/pages/policy/find-quote.ts': (m, text) => m.findQuote(text, `${text} "no quote`),
};

/**
 * Slow document parsers, which take a millisecond for a few hundred characters. Shorter inputs already show
 * their growth.
 */
const SLOW = /markdown|parse-document/;
const SHORT = [782, 3_125, 12_500, 50_000];

/** Returns `{ name, run(text), lengths }` per parser, from the sources under test or from the build. */
export async function parsers() {
  const list = [];
  for (const [path, read] of Object.entries(PARSERS)) {
    // Browser code is not built file by file.
    if (!isTest && path.startsWith('apps/dashboard/')) continue;
    const module = await load(path);
    list.push({
      name: path,
      run: (text) => read(module, text),
      lengths: SLOW.test(path) ? SHORT : undefined,
    });
  }
  return list;
}

function expected(error) {
  if (error instanceof Error && 'reasonCode' in error) return error;
  throw error;
}
