import { run } from '@casefile/cli/program';
import { memoryTerminal } from '@casefile/cli/testing/memory-terminal';
import { isObject, type CaseDocument } from '@casefile/contracts';
import { until } from '@casefile/contracts/testing';
import { questionText, type Question } from '@casefile/kit/demonstration/question';
import { supportingExaminer } from '@casefile/kit/testing/supporting-examiner';
import { launchedServices, type Launched } from '../testing/launched-services.js';
import { ended } from '../testing/world.js';
import { startNewsSite, TOPICS, type NewsSite, type Topic } from './testing/news-site.js';

/**
 * A model that takes every wrong path: it states the figure of the retracted article and of the search's words with the
 * id of another source, invents an id and an address, and passes everything as critic and examiner.
 */
function worstAnswer(question: Question) {
  const text = questionText(question, 'system', 'user');
  const answer = (value: object | string) => ({
    kind: 'answer' as const,
    content: typeof value === 'string' ? value : JSON.stringify(value),
  });
  if (isObject(question.schema?.['properties']) && 'claims' in question.schema['properties'])
    return answer(supportingExaminer(text));
  const topic = TOPICS.find((one) => text.includes(one.question));
  if (topic === undefined) return null;
  if (text.includes('You are the analyst'))
    return answer({ status: 'DRAFT_READY', newQueries: [], draft: draftOn(topic), reasoningChain: 'x' });
  if (text.includes('You are the writer')) return answer(draftOn(topic));
  return answer({
    status: 'PASS',
    critique: 'All right.',
    suggestions: [],
    modeCompliance: '符合',
    logicalGaps: [],
  });
}

const draftOn = ({ retracted, right }: Topic): string =>
  [
    `A crew of ${retracted} workers repaired it [E1].`,
    `A crew of ${right} workers repaired it [E1].`,
    'The search counts 987654 workers [E2].',
    `As [the ministry](https://invented.example/report) states, ${retracted} workers came [E99].`,
  ].join('\n\n');

/** Asks this many questions, one after the other, over a local site of 200 pages. */
export function describeResearchPages(questions: number): void {
  const topics = TOPICS.slice(0, questions);
  let [system, site]: [Launched, NewsSite] = [] as never;
  const [cases, documents]: [string[], CaseDocument[]] = [[], []];
  const casefile = async (...args: string[]) => {
    const terminal = memoryTerminal();
    const code = await run([...args, '--console', system.service('console').url], terminal);
    return { code, text: [...terminal.lines, ...terminal.errors].join('\n') };
  };

  beforeAll(async () => {
    site = await startNewsSite();
    system = await launchedServices({
      answer: worstAnswer,
      settings: {
        evidence: { pageReader: { privateHosts: [new URL(site.url).host], perHostPerSecond: 100 } },
        playbooks: { research: { maxRounds: 1 } },
      },
    });
    const added = await casefile('sources', 'add', 'searxng', '--url', site.url);
    expect([added.code, added.text]).toEqual([0, expect.stringContaining('searxng__search')]);
    await until('new runs may use the search', () =>
      system.platform.installation.latest()!.toolServers.some(({ name }) => name === 'searxng'),
    );
    for (const { question } of topics) {
      const caseId = await system.alert({ playbook: 'research', payload: { query: question } });
      cases.push(caseId);
      documents.push(await ended(system, caseId));
    }
  }, 1_500_000);
  afterAll(async () => {
    await system?.close();
    site?.close();
  });

  const evidenceOf = (document: CaseDocument) =>
    document.runs[0]!.artifacts.findLast(({ artifact }) => artifact === 'evidence')!.body as unknown as {
      items: {
        id: string;
        result: { url: string; text: string; page?: { sha256: string; author: string } };
      }[];
      leftOut: { why: string; about: { url: string } }[];
    };
  const reportOf = (document: CaseDocument) =>
    document.runs[0]!.artifacts.findLast(({ artifact }) => artifact === 'report')!.body as unknown as {
      markdown: string;
      citations: string[];
      answer: { sentences: { text: string; ids: string[]; state: string }[]; sourcesUsed: string[] };
    };

  it('cites only pages that are stored with the digest of their bytes', () => {
    expect(site.digests.size).toBe(200);
    for (const document of documents) {
      const { items } = evidenceOf(document);
      const report = reportOf(document);
      expect(items.length).toBeGreaterThanOrEqual(5);
      for (const { result } of items) {
        expect(result.page).toMatchObject({ sha256: site.digests.get(result.url), author: 'Jo Field' });
        expect(result.text).not.toContain('987654');
      }
      const stored = new Map(items.map(({ id, result }) => [id, result.url]));
      const cited = [...report.citations, ...report.answer.sourcesUsed];
      expect(cited.filter((id) => !stored.has(id))).toEqual([]);
      const links = [...report.markdown.matchAll(/\]\((https?:[^)\s]+)\)/g)].map(([, url]) => url);
      expect(links.filter((url) => ![...stored.values()].includes(url!))).toEqual([]);
      expect(report.markdown).not.toContain('https://invented');
    }
  });

  it('draws no conclusion from a retracted article, also if the model states it', () => {
    documents.forEach((document, i) => {
      const topic = topics[i]!;
      const { items, leftOut } = evidenceOf(document);
      expect(items.filter(({ result }) => result.text.includes(String(topic.retracted)))).toEqual([]);
      const retracted = leftOut.filter(({ why }) => why === 'its article was retracted');
      expect(retracted.map(({ about }) => new URL(about.url).pathname).toSorted()).toEqual([
        `/news/${topic.word}-notice`,
        `/news/${topic.word}-retracted`,
      ]);
      const supported = reportOf(document).answer.sentences.filter(({ state }) => state === 'verified');
      expect(supported.map(({ text }) => text).join(' ')).not.toMatch(
        new RegExp(`${topic.retracted}|987654`),
      );
      expect(supported.map(({ text }) => text).join(' ')).toContain(String(topic.right));
      expect(document.runs[0]!.verdict!.disposition).toBe('review');
    });
  });

  it('names the pages that it did not read: forbidden by robots.txt, or gone', () => {
    const { leftOut } = evidenceOf(documents[0]!);
    const unread = leftOut.filter(({ why }) => why.startsWith('the page was not read'));
    expect(unread.map(({ why }) => why)).toEqual([
      expect.stringContaining('robots.txt'),
      expect.stringContaining('404'),
    ]);
    expect(site.paths.filter((path) => path.startsWith('/private/'))).toEqual([]);
    expect(site.paths.filter((path) => path === '/robots.txt')).toHaveLength(1);
  });

  it('is judged again from the record without the network, with the same verdict', async () => {
    const before = site.paths.length;
    const replayed = await casefile('replay', cases[0]!);
    expect([replayed.code, replayed.text]).toEqual([0, expect.stringContaining('the same: outcome')]);
    expect(site.paths).toHaveLength(before);
  });
}
