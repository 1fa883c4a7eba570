import { asCasefileError, CasefileError } from '@casefile/contracts';
import type { Kind } from '@casefile/kit';

type Presenting = Kind['playbook']['presenting'];
type PresentingFunction = {
  [K in keyof Presenting]-?: NonNullable<Presenting[K]> extends (...args: never) => unknown ? K : never;
}[keyof Presenting];

/** What is shown instead if a function of the kind throws. null: its callers get the error. */
const SHOWN_INSTEAD: Record<PresentingFunction, ((input: never) => unknown) | null> = {
  word: ({ disposition }: Parameters<Presenting['word']>[0]) => disposition,
  answer: () => '-',
  unproven: () => null,
  contradiction: () => null,
  actedOn: () => null,
  ladder: () => null,
  scales: () => [],
  notice: () => ({}),
  // A person's answer must not be stored with a disposition that was not derived from it.
  impliedDisposition: null,
};

/**
 * Returns a kind from outside whose faults do not reach other kinds: if it throws where alerts of all kinds
 * pass (recognition, lists, pages), the others go on. If it throws for its own alert, the error names the kind. Its
 * stages are guarded by the executor.
 *
 * @param warn is told once for each function.
 */
export function containedKind<K extends Kind>(kind: K, warn: (problem: string) => void): K {
  const { playbook } = kind;
  const { name, intake, presenting } = playbook;
  const warned = new Set<string>();
  const messageOf = (place: string, error: unknown) =>
    `kind ${name}: ${place} failed: ${asCasefileError(error).message}`;
  const orElse = <A extends unknown[], T>(
    place: string,
    run: (...args: A) => T,
    instead: (...args: NoInfer<A>) => NoInfer<T>,
  ) =>
    ((...args: A) => {
      try {
        return run(...args);
      } catch (error) {
        if (!warned.has(place)) warn(messageOf(place, error));
        warned.add(place);
        return instead(...args);
      }
    }) as (...args: A) => T;
  const named = <A extends unknown[], T>(place: string, run: (...args: A) => T) =>
    ((...args: A) => {
      try {
        return run(...args);
      } catch (error) {
        if (error instanceof CasefileError) throw error;
        throw new CasefileError('unexpected', messageOf(place, error), { cause: error });
      }
    }) as (...args: A) => T;
  const shown: Presenting = { ...presenting };
  for (const [key, instead] of Object.entries(SHOWN_INSTEAD)) {
    const run = presenting[key as PresentingFunction] as ((...args: unknown[]) => unknown) | undefined;
    if (run === undefined) continue;
    const bound = run.bind(presenting);
    const place = `presenting.${key}`;
    const contained =
      instead === null
        ? named(place, bound)
        : orElse(place, bound, instead as (...args: unknown[]) => unknown);
    Object.assign(shown, { [key]: contained });
  }
  return {
    ...kind,
    playbook: {
      ...playbook,
      intake: {
        ...intake,
        claims: orElse('intake.claims', intake.claims.bind(intake), () => null),
        problems: named('intake.problems', intake.problems.bind(intake)),
        repeats: named('intake.repeats', intake.repeats.bind(intake)),
      },
      presenting: shown,
    },
  };
}
