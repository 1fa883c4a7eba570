import type { Verdict } from '@casefile/contracts';

/** Cost of a wrong disposition, who bears it, and what the disposition needs because of it. */
interface Harm {
  costs: string;
  whom: string;
  needs: string;
}

/** What a wrong verdict of a kind costs in each direction. The documentation page of the kind shows it. */
export type Harms = Readonly<Record<Verdict['disposition'], Harm>>;

/** Returns the table of a documentation page, in Markdown. */
export function harmsTable(harms: Harms): string {
  const rows = Object.entries(harms).map(
    ([disposition, { costs, whom, needs }]) => `| \`${disposition}\` | ${costs} | ${whom} | ${needs} |`,
  );
  return ['| disposition | a wrong one costs | whom | it needs |', '|---|---|---|---|', ...rows].join('\n');
}
