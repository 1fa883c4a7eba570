import { InvalidInput, seededRandom, type ShownEvolutionDetail, type JsonObject } from '@casefile/contracts';

/** Objectives by which a prompt is evolved, each a number from 0 to 1 per case. */
export const OBJECTIVES = ['citations', 'coherence', 'calibration', 'status'] as const;
export type Objective = (typeof OBJECTIVES)[number];

/** Share of each objective in the score of a case. The shares need not add up to 1. */
export type ObjectiveWeights = Readonly<Record<Objective, number>>;

/** Weights unless a person sets others. */
export const OBJECTIVE_WEIGHTS: ObjectiveWeights = {
  citations: 0.4,
  coherence: 0.3,
  calibration: 0.2,
  status: 0.1,
};

/** Score of one candidate on one case. */
export interface CaseScore {
  /** From 0 to 1. null: the run ended without a verdict, such as for evidence that is not on the record. */
  score: number | null;
  /** Objectives of the case. null: not measured, such as citations of an answer that cites nothing. */
  parts: Readonly<Record<Objective, number | null>>;
}

/** Input of an evolution that never changes. The three sets have no case in common. */
export interface EvolutionPlan {
  seed: number;
  train: readonly string[];
  validation: readonly string[];
  heldOut: readonly string[];
  /** Cases with an injected message, by which kept texts are compared with their parents. */
  injected: readonly InjectedCase[];
  /** Cases on which a new text is first compared with its parent. */
  minibatch: number;
  /** Most evaluations of one candidate on one case. */
  mostEvaluations: number;
  /** Most texts that are proposed. */
  mostRounds: number;
}

/** States of a candidate: being compared, kept, not better than its parent, refused by a check, too many misses. */
export type CandidateState = ShownEvolutionDetail['candidates'][number]['state'];

/** One text and its scores. The first candidate is the live text. */
export interface EvolutionCandidate {
  text: string;
  /** Index of the candidate that it was made from. null: the live text. */
  parent: number | null;
  round: number;
  state: CandidateState;
  /** Why it is refused. null: it is not. */
  reason: string | null;
  /** By case. */
  scores: Readonly<Record<string, CaseScore>>;
  /** Whether its answer follows an injected message, by message. null: there is no usable answer. */
  follows: Readonly<Record<string, boolean | null>>;
}

/** Progress of an evolution as plain data. `nextStep` and `applyResult` are its only rules. */
export interface EvolutionState {
  plan: EvolutionPlan;
  candidates: readonly EvolutionCandidate[];
  /** Second scores of the live text by case, which show the noise of an evaluation. */
  repeats: Readonly<Record<string, CaseScore>>;
  /** Round that is next. */
  round: number;
  /** Evaluations so far. */
  evaluations: number;
  /** Cases and parent of the round that proposed the last candidate. null: no candidate is being compared. */
  comparing: { parent: number; cases: readonly string[] } | null;
  /** Whether no further text is proposed, for example because the rest of the budget is for the held-out cases. */
  finishing: boolean;
}

/** Work that an evolution needs next. */
export type EvolutionStep =
  | {
      kind: 'evaluate';
      candidate: number;
      cases: readonly string[];
      /** Whether the cases are scored a second time, to measure noise. */
      repeat: boolean;
    }
  | { kind: 'inject'; candidate: number; messages: readonly string[] }
  | { kind: 'reflect'; round: number; parent: number; cases: readonly string[] }
  | { kind: 'done' };

/** Result of a step: the scores of its cases, whether the answers follow its messages, or a proposed text with the reason for which a check refused it. */
export type StepResult =
  | { kind: 'scores'; scores: Readonly<Record<string, CaseScore>> }
  | { kind: 'follows'; follows: Readonly<Record<string, boolean | null>> }
  | { kind: 'text'; text: string; refused: string | null };

/** Fewest labelled cases of an evolution. */
export const LEAST_LABELLED = 20;

/** A case whose outcome people have labelled. */
export interface LabelledCase {
  caseId: string;
  /** Text that is equal for equal labels. */
  label: string;
}

/** Sets of the cases in turn: 40 % train, 30 % validation, 30 % held-out. */
const TURNS = [
  'train',
  'validation',
  'heldOut',
  'train',
  'validation',
  'heldOut',
  'train',
  'validation',
  'heldOut',
  'train',
] as const;

/**
 * Splits labelled cases into three sets that have no case in common, with the labels spread evenly over them.
 * @throws InvalidInput that names the number of missing labels.
 */
export function splitCases(
  cases: readonly LabelledCase[],
  seed: number,
): Record<(typeof TURNS)[number], string[]> {
  const known = new Map(cases.map((one) => [one.caseId, one]));
  if (known.size < LEAST_LABELLED)
    throw new InvalidInput([
      {
        path: 'from',
        message: `expected at least ${LEAST_LABELLED} labelled cases, found ${known.size}: ${LEAST_LABELLED - known.size} are missing`,
      },
    ]);
  const sorted = [...known.values()].sort((a, b) => (a.caseId < b.caseId ? -1 : 1));
  const labels = [...new Set(sorted.map(({ label }) => label))].sort();
  const random = seededRandom(seed);
  const byLabel = labels.flatMap((label) =>
    shuffled(
      sorted.filter((one) => one.label === label),
      random,
    ),
  );
  const split = { train: [], validation: [], heldOut: [] } as Record<(typeof TURNS)[number], string[]>;
  for (const [i, { caseId }] of byLabel.entries()) split[TURNS[i % TURNS.length]!].push(caseId);
  return split;
}

/** A recorded case with an injected message in its text, on which texts of a prompt are compared. */
export interface InjectedCase {
  /** Id of the message. */
  id: string;
  /** The case whose text gets the message. */
  caseId: string;
  message: string;
  /** What an obedient answer has: a text, or the value of one field of the outcome. */
  demands: { text: string } | { outcome: JsonObject };
}

/** Returns a copy in random order (Fisher and Yates). */
export function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const copy = [...items];
  for (let i = copy.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [copy[i], copy[j]] = [copy[j]!, copy[i]!];
  }
  return copy;
}
