import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metricSeries } from '../../libs/telemetry/src/metric-series.js';
import { METRICS } from '../../libs/telemetry/src/names.js';
import { root } from '../root.mjs';
import { boardQueries } from './panels.mjs';
import { BOARD_FILE, monitoringFiles, ruleGroups } from './files.mjs';
import { readQuery } from './promql.mjs';

const text = (file) => readFileSync(join(root, file), 'utf8');
const rules = ruleGroups().flatMap((group) => group.rules);
const conditions = [...text('docs/reference/conditions.md').matchAll(/^## (\S+)$/gm)].map(([, id]) => id);

/** Labels that Prometheus adds when it scrapes a process. */
const SCRAPED = ['job', 'instance'];
const labelsBySeries = new Map(
  Object.keys(METRICS).flatMap((key) => {
    const { type, series, labels } = metricSeries(key);
    const own = [...labels, ...SCRAPED, ...(type === 'histogram' ? ['le'] : [])];
    return series.map((name) => [name, new Set(own)]);
  }),
);

function problemsOf(expr) {
  return readQuery(expr).flatMap(({ name, labels }) => {
    const seriesLabels = labelsBySeries.get(name);
    if (seriesLabels === undefined) return [`no service emits ${name}`];
    return labels.filter((label) => !seriesLabels.has(label)).map((label) => `${name} has no label ${label}`);
  });
}

describe('the files of k8s/monitoring', () => {
  it('are those that npm run board writes', async () => {
    for (const { file, text: generated } of await monitoringFiles())
      expect([file, text(file)]).toEqual([file, generated]);
  });
});

describe('the queries of board and rules', () => {
  it('name only metrics and labels that are emitted', () => {
    const exprs = [...boardQueries(), ...rules.map(({ expr }) => expr)];
    expect(exprs.length).toBeGreaterThan(50);
    for (const expr of exprs) {
      expect([expr, readQuery(expr).length > 0]).toEqual([expr, true]);
      expect([expr, problemsOf(expr)]).toEqual([expr, []]);
    }
  });

  it.each([
    ['sum(casefile_verdict_total)', ['no service emits casefile_verdict_total']],
    ['sum(casefile_verdicts)', ['no service emits casefile_verdicts']],
    ['sum by (kind) (rate(casefile_verdicts_total[5m]))', ['casefile_verdicts_total has no label kind']],
    ['casefile_condition{ident="x"} == 1', ['casefile_condition has no label ident']],
    ['casefile_condition / on (queue) casefile_queue_jobs', ['casefile_condition has no label queue']],
  ])('would not be accepted as %s', (expr, problems) => {
    expect(problemsOf(expr)).toEqual(problems);
  });

  it('would not be accepted with a syntax error', () => {
    expect(() => readQuery('sum by (id (casefile_condition)')).toThrow(/not PromQL at character/);
  });
});

describe('S4-37 the alert rules', () => {
  it('have a name, a severity, a duration, a summary and an effect', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, labels, annotations, for: lasting } of rules) {
      expect(alert).toMatch(/^Casefile[A-Z]/);
      expect(labels.severity).toMatch(/^(warning|critical)$/);
      expect(Object.keys(annotations).sort()).toEqual(['effect', 'runbook_url', 'summary']);
      expect(lasting).toMatch(/^\d+[mh]$/);
    }
  });

  it('K5 link by absolute URLs to a section of the documentation that the console serves', () => {
    for (const { annotations } of rules) {
      const { origin, pathname, hash } = new URL(annotations.runbook_url);
      expect(origin).toBe('http://localhost:3000');
      const [file, section] = [`${pathname.slice(1)}.md`, hash.slice(1)];
      const headings = [...text(file).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
      expect(headings.map((one) => one.toLowerCase().replaceAll(' ', '-'))).toContain(section);
    }
  });

  it('cover every condition, with its severity', () => {
    const page = text('docs/reference/conditions.md');
    for (const id of conditions) {
      const own = rules.filter(
        ({ expr, annotations }) =>
          expr.includes('casefile_condition{') && annotations.runbook_url.endsWith(`#${id}`),
      );
      expect([id, own.length]).toEqual([id, 1]);
      const [, severity] = new RegExp(`^## ${id}\n\n\\*(\\w+)\\.`, 'm').exec(page) ?? [];
      expect([id, own[0].labels.severity]).toEqual([id, severity === 'Error' ? 'critical' : 'warning']);
      expect(own[0].expr).toContain(`"${id}`);
    }
  });

  it('fire if the mean of a criterion passes 6,000 tokens or $0.05', () => {
    const expr = Object.fromEntries(rules.map((rule) => [rule.alert, rule.expr]));
    expect(expr.CasefileCheckTokensHigh).toMatch(
      /casefile_check_tokens_sum[^]*casefile_check_tokens_count[^]*> 6000/,
    );
    expect(expr.CasefileCheckCostHigh).toMatch(
      /casefile_check_cost_usd_sum[^]*casefile_check_cost_usd_count[^]*> 0\.05/,
    );
  });
});

describe('the Grafana board', () => {
  const board = JSON.parse(text(BOARD_FILE));

  it('takes its Prometheus from a variable and gives every panel a title, a description and queries', () => {
    expect(board.templating.list.map(({ name, query }) => [name, query])).toEqual([['ds', 'prometheus']]);
    const panels = board.panels.filter(({ type }) => type !== 'row');
    for (const { title, description, targets, datasource } of panels) {
      expect([title, Boolean(description), targets.length > 0]).toEqual([title, true, true]);
      expect(datasource.uid).toBe('${ds}');
    }
    const exprs = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
    expect(exprs).toEqual(boardQueries());
  });
});
