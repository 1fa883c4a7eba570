import { type ShownRun } from '@casefile/contracts';
import type { Kind, KindCommandLine } from '@casefile/kit';
import type { KindSamples } from '@casefile/kit/command-line/kind-samples';
import type { KnowledgeSeed } from '@casefile/kit/command-line/knowledge-seed';
import type { RunSection } from '@casefile/kit/command-line/run-section';
import type { KindAnswers } from '@casefile/kit/demonstration/kind-answers';
import type { DatasetKind } from '@casefile/kit/evaluation/dataset';
import { wrongOption } from './commands/option-values.js';

/** Parts of the command line of the installed kinds of case. */
export class KindParts {
  private constructor(private readonly parts: ReadonlyMap<Kind, KindCommandLine>) {}

  /** Loads the parts of these kinds. Default: of all installed kinds. */
  static async load(kinds?: readonly Kind[]): Promise<KindParts> {
    const loaded = kinds ?? (await (await import('@casefile/runtime')).loadKinds());
    const parts = loaded.map(async (kind) => [kind, await kind.commandLine()] as const);
    return new KindParts(new Map(await Promise.all(parts)));
  }

  /** All evaluations, in the order of the kinds. */
  evaluations(): DatasetKind[] {
    return [...this.parts.values()].flatMap(({ evaluation }) => evaluation ?? []);
  }

  /** @throws InvalidInput if the verdicts of this kind cannot be measured. */
  evaluationOf(name: string | undefined): DatasetKind {
    const evaluations = this.evaluations();
    const found = evaluations.find(({ playbook }) => playbook === name);
    if (found !== undefined) return found;
    const known = evaluations.map(({ playbook }) => playbook).join(', ');
    const message = `expected one of ${known}${name === undefined ? '' : `, found ${name}`}`;
    throw wrongOption('--playbook', message);
  }

  /** Returns the name of the kind's strategy that uses no model. @throws InvalidInput if it has none. */
  rulesOf(name: string): string {
    const kind = [...this.parts.keys()].find(({ playbook }) => playbook.name === name);
    const strategies = Object.entries(kind?.playbook.strategies ?? {});
    const rules = strategies.find(([, { prompts }]) => Object.keys(prompts).length === 0);
    if (rules !== undefined) return rules[0];
    throw wrongOption('--rules', `${name} has no rules`);
  }

  /** Returns the samples of all kinds that have some. @param folder Folder of the bundled samples. */
  async samples(folder: URL): Promise<KindSamples> {
    const all = await Promise.all([...this.parts.values()].map(({ samples }) => samples?.(folder)));
    const present = all.filter((one) => one !== undefined);
    return {
      alerts: present.flatMap(({ alerts }) => alerts),
      lookedUp: joinedSeed(present.map(({ lookedUp }) => lookedUp)),
    };
  }

  /** Hand-written answers of all kinds that have some. */
  demonstrations(): KindAnswers[] {
    return [...this.parts.values()].flatMap(({ demonstration }) => demonstration ?? []);
  }

  /** Returns the sections of a run that only its kind has; empty if the kind is not installed. */
  sectionsOf({ settings: { playbook } }: Pick<ShownRun, 'settings'>): readonly RunSection[] {
    const own = [...this.parts].find(([kind]) => kind.playbook.name === playbook);
    return own?.[1].sections ?? [];
  }

  /** Returns the names of the agents of a kind, for exported rounds; undefined: the kind has none. */
  agentsOf(name: string | undefined): Kind['playbook']['presenting']['agents'] | undefined {
    const kind = [...this.parts.keys()].find(({ playbook }) => playbook.name === name);
    return kind?.playbook.presenting.agents;
  }
}

/** Returns the knowledge of several kinds. Lists are joined; of a file, the last one counts. */
function joinedSeed(seeds: readonly KnowledgeSeed[]): KnowledgeSeed {
  const policies = seeds.flatMap((seed) => seed.policies ?? []);
  const runbooks = seeds.flatMap((seed) => seed.runbooks ?? []);
  return {
    ...(Object.assign({}, ...seeds) as KnowledgeSeed),
    ...(policies.length > 0 && { policies }),
    ...(runbooks.length > 0 && { runbooks }),
  };
}
