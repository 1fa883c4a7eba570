import { readdirSync } from 'node:fs';
import { repositoryText, ROOT } from './sources.js';

const FOLDER = 'docs/decisions';

/**
 * Returns the page with all decisions: its hand-written part up to the heading `All`, then one line per decision by number. A
 * decision that begins with `Replaced by` has this in its line. Throws if a page has no title with its number.
 */
export function decisionList(): string {
  const [introduction = ''] = repositoryText(`${FOLDER}/README.md`).split('\n## All\n');
  const lines = readdirSync(new URL(`${FOLDER}/`, ROOT))
    .filter((file) => /^\d{4}-.*\.md$/.test(file))
    .toSorted()
    .map((file) => {
      const {
        number = '',
        title = '',
        by,
      } = /^# (?<number>\d{4})\. (?<title>.+)\n\n(?:Replaced by (?<by>\[\d{4}\]\([^)]+\)))?/.exec(
        repositoryText(`${FOLDER}/${file}`),
      )?.groups ?? {};
      if (number !== file.slice(0, 4)) throw new Error(`${FOLDER}/${file} is not titled by its number`);
      return `- ${number} [${title}](${file})${by === undefined ? '' : `: replaced by ${by}`}`;
    });
  return [
    introduction,
    '## All',
    '',
    'Written by `npm run reference`. A decision holds unless its line states what replaced it. A missing number was removed or not used.',
    '',
    ...lines,
  ].join('\n');
}
