import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { InvalidInput } from '@casefile/contracts';
import { temporaryFolder } from '@casefile/contracts/testing';
import { playbookNamed } from '@casefile/pipeline';
import type { DatasetKind } from '@casefile/kit/evaluation/dataset';
import type { EvalCase } from '@casefile/kit/evaluation/eval-system';
import { kinds, playbooks } from './loaded.js';

const EVALUATIONS = await Promise.all(
  kinds.map(async (kind) => (await kind.commandLine()).evaluation ?? []),
).then((all) => all.flat());
const KINDS = EVALUATIONS.map(({ playbook }) => playbook);
const kindOf = (name: string): DatasetKind => EVALUATIONS.find(({ playbook }) => playbook === name)!;

describe('T-30 labelled sets', () => {
  it('are there for every shipped kind', () => {
    expect(KINDS).toEqual(playbooks.map(({ name }) => name));
  });

  it.each(KINDS)('%s has its sets, all readable, and no label goes in with an alert', async (playbook) => {
    const { sets, read } = kindOf(playbook);
    for (const { path } of sets) {
      const { items } = await read(path, {});
      expect(items.length).toBeGreaterThan(0);
      const problems = items.flatMap(({ alert }) =>
        playbookNamed(playbook, playbooks).intake.problems(alert),
      );
      expect(problems).toEqual([]);
      for (const { alert } of items) expect(JSON.stringify(alert)).not.toContain('"expected"');
    }
  });

  it.each(['incident', 'research'])('%s has at least 40 items, half of them unseen', async (playbook) => {
    const { sets, read } = kindOf(playbook);
    const halves = await Promise.all(
      ['seen', 'unseen'].map(async (name) => read(sets.find((set) => set.name === name)!.path, {})),
    );
    const [seen, unseen] = halves.map(({ items }) => items.length);
    expect(seen! + unseen!).toBeGreaterThanOrEqual(40);
    expect(Math.abs(seen! - unseen!)).toBeLessThanOrEqual(1);
    expect(halves.map(({ keepsResults }) => keepsResults)).toEqual([true, false]);
  });

  it.each(['incident', 'research'])('%s shows no single item of an unseen set', async (playbook) => {
    const { sets, read } = kindOf(playbook);
    const { path } = sets.find(({ name }) => name === 'unseen')!;
    const { items, measure } = await read(path, {});
    const judged = items.map((item, i) =>
      item.labelledResult(String(i), { runs: [] } as unknown as EvalCase, 1),
    );
    const { values, lines } = measure(judged);
    const ids = readFileSync(path, 'utf8')
      .match(/"id": "\w+"/g)!
      .map((id) => id.slice(7, -1));
    expect(ids.length).toBeGreaterThanOrEqual(20);
    for (const id of ids) expect(JSON.stringify(values) + lines.join('\n')).not.toContain(id);
    await expect(read(path, { limit: 3 })).rejects.toThrow(InvalidInput);
  });

  it('name every wrong line and field', async () => {
    const path = join(temporaryFolder('sets'), 'wrong.jsonl');
    const [first] = readFileSync(kindOf('research').sets[0].path, 'utf8').split('\n');
    const wrong = JSON.stringify({ ...(JSON.parse(first!) as object), query: '', mode: 'guess' });
    writeFileSync(path, [first, '{"cut', wrong, first].join('\n'));
    const problems = await kindOf('research')
      .read(path, {})
      .then(
        () => [],
        (error: unknown) => (error instanceof InvalidInput ? error.problems.map((one) => one.path) : [error]),
      );
    expect(problems).toEqual(['line 2', 'line 3: query', 'line 3: mode', 'line 4: id']);
  });
});

describe('T-30 what is kept of a judged alert and question', () => {
  it('compares action, cause and report with the label', async () => {
    const { sets, read } = kindOf('incident');
    const { items, scoredAnswers, rates } = await read(sets[0].path, {});
    const at = items.findIndex(({ label }) => JSON.stringify(label).includes('currency_table'));
    const result = {
      name: 'x',
      severity: 'critical',
      resolvedAt: null,
      summary: '',
      impact: { now: true, what: '' },
      hypotheses: [{ cause: 'The field currency\\_table is missing', probability: 0.9, citations: [] }],
      ruledOut: [],
      steps: [],
      falseAlarm: null,
      refuted: [],
      dropped: [],
      lookUps: [],
      gaps: [],
      requiredFailed: [],
      runbook: null,
      partial: [],
      trace: [],
      iterations: 1,
      model: null,
      endedBy: null,
      stopped: null,
    };
    const found = {
      runs: [
        {
          verdict: { outcome: { action: 'page' }, reasons: ['why'] },
          artifacts: [
            { artifact: 'draft', body: { answer: result } },
            { artifact: 'report', body: { markdown: '- field "CURRENCY\\_TABLE" missing' } },
          ],
        },
      ],
    } as unknown as EvalCase;
    const judged = items[at]!.labelledResult('k', found, 1);
    expect(judged).toMatchObject({ action: 'page', named: 1, namedRight: true, shown: true, hasCause: true });
    const line = { ...judged, run: { confidence: 0.7 } } as unknown as Parameters<typeof scoredAnswers>[0];
    expect(scoredAnswers(line)).toEqual([
      { expected: 'page', answer: 'page', language: 'en', confidence: 0.7 },
    ]);
    expect(rates([line])).toMatchObject({ 'cause named (of alerts with a cause)': { part: 1, of: 1 } });
  });

  it('counts a question by rules as open, and its deciding passages as quoted or not', async () => {
    const { sets, read } = kindOf('research');
    const { items, rates } = await read(sets[0].path, {});
    const label = items[0]!.label as { expected: { deciding: { url: string; words: string }[] } };
    const [{ url, words }] = label.expected.deciding as [{ url: string; words: string }];
    const outcome = {
      items: [
        {
          '@type': 'Item',
          url: 'https://x.example',
          name: '',
          site: '',
          siteUrl: '',
          score: 40,
          description: `> ${words}`,
          schema_object: { sources_used: [url] },
        },
      ],
      mode: 'discovery',
      rounds: 1,
      converged: false,
      notConverged: false,
      ruling: 'WARN',
      confidenceLevel: 'High',
      share: 1,
      sources: 2,
      summary: '',
      error: null,
    };
    const judge = (method: string, level = 'High') =>
      items[0]!.labelledResult(
        'k',
        {
          runs: [{ verdict: { method, outcome: { ...outcome, confidenceLevel: level } }, artifacts: [] }],
        } as unknown as EvalCase,
        1,
      );
    expect(judge('heuristic')).toMatchObject({ answer: null, deciding: { all: 1, cited: 1, quoted: 1 } });
    const line = { ...judge('llm'), run: { disposition: 'act' } } as unknown as Parameters<
      typeof rates
    >[0][0];
    expect(rates([line])).toMatchObject({
      'deciding passages quoted word for word': { part: 1, of: 1 },
      'without a report': { part: 0, of: 1 },
    });
  });
});
