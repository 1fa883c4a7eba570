import type { CaseDocument, Json, Verdict } from '@casefile/contracts';
import type { Examiner, Kind, TrustCase } from './trust-case.js';
import type { TrustWorld } from './trust-world.js';

/** A case of the sets with its verdict. */
export interface JudgedCase {
  one: TrustCase;
  disposition: Verdict['disposition'] | null;
  /** Whether the wrong conclusion is accepted: the case is let go, or acted on with this conclusion. */
  accepted: boolean;
  degraded: boolean;
  /** Claims that the cross-examination removed and that the verdict or the report still states. */
  standing: string[];
  /** Codes of the findings of the last review. */
  findings: string[];
  reason: string;
}

/** Judges these cases in order. Kinds run concurrently; cases of one kind run one after another. */
export async function judgeAll(
  world: TrustWorld,
  cases: readonly TrustCase[],
  examiner: Examiner,
  onCase: (judgedCase: JudgedCase) => void = () => undefined,
): Promise<JudgedCase[]> {
  const byCase = new Map<TrustCase, JudgedCase>();
  const kinds = [...new Set(cases.map(({ kind }) => kind))];
  const ofKind = async (kind: Kind): Promise<void> => {
    for (const one of cases.filter((each) => each.kind === kind)) {
      const judgedCase = judgedCaseOf(one, await world.judge(one, examiner));
      byCase.set(one, judgedCase);
      onCase(judgedCase);
    }
  };
  await Promise.all(kinds.map(ofKind));
  return cases.map((one) => byCase.get(one)!);
}

function judgedCaseOf(one: TrustCase, document: CaseDocument): JudgedCase {
  const [run] = document.runs;
  const verdict = run?.verdict ?? null;
  const artifacts = run?.artifacts ?? [];
  const review = artifacts.findLast(({ artifact }) => artifact === 'review')?.body as ReviewBody | undefined;
  return {
    one,
    disposition: verdict?.disposition ?? null,
    accepted: verdict !== null && isAccepted(one, verdict),
    degraded: verdict?.degraded ?? true,
    standing: (review?.crossExamination?.claims ?? [])
      .filter(
        ({ answer, text }) =>
          answer !== 'supports' && verdict !== null && states(verdict.outcome as Json, text),
      )
      .map(({ text }) => text),
    findings: (review?.findings ?? []).map(({ code }) => code),
    reason: verdict?.reasons[0] ?? run?.status ?? '',
  };
}

interface ReviewBody {
  findings: { code: string }[];
  crossExamination?: { claims: { text: string; answer: string }[] };
}

// A page is right whatever its cause. A wrong cause is accepted if the page states it as the cause.
function isAccepted({ kind, wrongWay, conclusion }: TrustCase, { disposition, outcome }: Verdict): boolean {
  if (disposition !== wrongWay) return false;
  if (kind === 'research') return outcome['ruling'] === 'PASS';
  return kind !== 'incident' || wrongWay === 'dismiss' || states(outcome as Json, conclusion);
}

/** Fields that list claims as struck out, or with the result of their comparison. */
const STRUCK_OUT = /refuted|removed|unsupported|unproven|findings|examin|without|^claims$/i;

/** Returns whether an outcome states these words without marking them as struck out. */
function states(value: Json, text: string): boolean {
  if (typeof value === 'string') return lettersOf(value).includes(lettersOf(text));
  if (Array.isArray(value)) return value.some((one) => states(one, text));
  if (value === null || typeof value !== 'object') return false;
  return Object.entries(value).some(([key, one]) => !STRUCK_OUT.test(key) && states(one as Json, text));
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
