import type { AlertInput, ToolDefinition, Verdict } from '@casefile/contracts';
import type { LessonRule, PastCaseRule, Playbook } from '@casefile/pipeline';
import type { KindSamples } from './command-line/kind-samples.js';
import type { RunSection } from './command-line/run-section.js';
import type { KindAnswers } from './demonstration/kind-answers.js';
import type { DatasetKind } from './evaluation/dataset.js';

/** Form of the name of a kind, and the form in words. */
export const KIND_NAME = /^[a-z][a-z0-9-]{0,62}$/;
export const KIND_NAME_FORM =
  'expected a lower-case letter, then at most 62 lower-case letters, digits and hyphens';

/** Parts of a kind that only the command line needs. */
export interface KindCommandLine {
  /** Labelled sets, and how verdicts are compared with their labels; null: `casefile eval` has none. */
  evaluation: DatasetKind | null;
  /** Returns the bundled samples of the kind; null: there are none. `folder`: the folder of all samples. */
  samples: ((folder: URL) => Promise<KindSamples>) | null;
  /**
   * Readers of hand-written answers in samples/demonstration.yaml, for `casefile up --demo`. Only shipped kinds are
   * asked.
   */
  demonstration: KindAnswers | null;
  /** Sections of `casefile show` that only this kind has. */
  sections: readonly RunSection[];
}

/** An alert and its verdict, for API documents. */
export interface ExampleCase {
  alert: AlertInput;
  verdict: Verdict;
}

/** A kind of case with everything that Casefile knows about it. */
export interface Kind {
  playbook: Playbook;
  /** Derives a lesson from a person's answer to a verdict; null: the kind has none. */
  lessonRule: LessonRule | null;
  /** Words by which confirmed cases are compared; null: they are not compared. */
  pastCaseRule: PastCaseRule | null;
  /** An alert and its verdict, for API documents; null: the kind has none. */
  example: ExampleCase | null;
  /** Tools that the kind brings. They can be asked by other kinds too. */
  tools: readonly ToolDefinition[];
  /** Loads the parts that only the command line needs. */
  commandLine(): Promise<KindCommandLine>;
}

/** A kind as written: only the playbook is required. */
export interface KindSpec {
  playbook: Playbook;
  lessonRule?: LessonRule;
  pastCaseRule?: PastCaseRule;
  example?: ExampleCase;
  tools?: readonly ToolDefinition[];
  /** `() => import('./command-line.js')`, a module that exports the parts by their names. */
  commandLine?: () => Promise<Partial<KindCommandLine>>;
}

/** Creates a kind of case from its parts. */
export function defineKind({
  playbook,
  lessonRule,
  pastCaseRule,
  example,
  tools,
  commandLine,
}: KindSpec): Kind {
  return {
    playbook,
    lessonRule: lessonRule ?? null,
    pastCaseRule: pastCaseRule ?? null,
    example: example ?? null,
    tools: tools ?? [],
    commandLine: async () => {
      const { evaluation, samples, demonstration, sections } = (await commandLine?.()) ?? {};
      return {
        evaluation: evaluation ?? null,
        samples: samples ?? null,
        demonstration: demonstration ?? null,
        sections: sections ?? [],
      };
    },
  };
}
