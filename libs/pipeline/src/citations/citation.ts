import type {
  CitableFact,
  Citation,
  CitationProblem,
  CitationState,
  PolicySection,
} from '@casefile/contracts';

/** A look-up that was made while the answer was worked out. */
export interface LookUp {
  of: 'fact' | 'policy';
  asked: string;
  /** Did it come off? One that failed proves nothing. */
  succeeded: boolean;
  /** How many it found. */
  found: number;
}

/** What citations are held against. */
export interface CitationGround {
  /** Every section that is cited, by node id: one that is not here does not exist in this version. */
  sections: ReadonlyMap<string, Pick<PolicySection, 'title' | 'text' | 'pages' | 'confidential'>>;
  facts: readonly CitableFact[];
  lookUps: readonly LookUp[];
}

export interface CitationFinding {
  citation: Citation;
  state: CitationState;
  /** null: verified. */
  problem: CitationProblem | null;
  /** What is there instead: the nearest passage, the fact's values, the sections that hold the quote. */
  instead: string[];
  /** Ids of the facts that bear it out. */
  facts: string[];
}
