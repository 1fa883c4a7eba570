import type { Verdict } from '@casefile/contracts';

/** Cost of a wrong disposition, who bears it, and what the disposition needs because of it. */
interface Harm {
  costs: string;
  whom: string;
  needs: string;
}

/** What a wrong verdict of a kind costs in each direction. `docs/reference/shipped-kinds.md` shows it. */
export type Harms = Readonly<Record<Verdict['disposition'], Harm>>;
