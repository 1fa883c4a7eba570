import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const GRAVE = ['serious', 'critical'];
/** Less severe rules that must pass too. */
const ALSO = ['heading-order', 'landmark-unique'];

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Parts of a page to check: everything, or only its colours. */
export type Looked = 'all' | 'colours';

const OPTIONS: Record<Looked, object> = {
  all: { runOnly: RULES },
  colours: { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } },
};

/**
 * Returns the problems that axe rates as serious or critical, as sentences. Frames of other sites are
 * excluded.
 */
export async function graveProblems(page: Page, looked: Looked = 'all'): Promise<string[]> {
  await page.evaluate(SOURCE);
  const options = JSON.stringify({ ...OPTIONS[looked], iframes: false });
  const violations = await page.evaluate<Violation[]>(
    `axe.run({ exclude: ['iframe'] }, ${options}).then((it) => it.violations)`,
  );
  return violations
    .filter(({ id, impact }) => GRAVE.includes(impact) || ALSO.includes(id))
    .flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`),
    );
}
