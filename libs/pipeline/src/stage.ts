import type { Alert, ArtifactName, ArtifactOf, ArtifactSet, Outcome } from '@casefile/contracts';
import type { Playbook } from './playbook.js';
import type { StagePorts } from './stage-ports.js';

type Read<Names extends readonly ArtifactName[]> = { [N in Names[number]]: ArtifactOf<N> };

/** What a stage can reach, and the kind of case that it works for. */
export interface FlowPorts extends StagePorts {
  playbook: Playbook;
}

/** What a stage is handed: exactly what it declared, so reading anything else does not compile. */
export type StageInput<
  R extends readonly ArtifactName[],
  P extends readonly ArtifactName[],
  AlertRead extends boolean,
  Joins extends boolean,
> = (Joins extends true ? { units: ({ unit: string } & Read<R>)[] } : Read<R>) & {
  /** The newest of the rounds before; absent in the first. */
  previous: Partial<Read<P>>;
} & (AlertRead extends true ? { alert: Alert } : unknown);

export interface StageSpec<
  R extends readonly ArtifactName[],
  P extends readonly ArtifactName[],
  A extends ArtifactName,
  AlertRead extends boolean,
  Joins extends boolean,
> {
  /** A verb; also the name of its queue. */
  name: string;
  /** The app that hosts it. */
  app: string;
  /** Does it read the alert itself? */
  readsAlert?: AlertRead;
  /** Artifacts of earlier stages. */
  reads: R;
  /** Artifacts of the rounds before. */
  readsPrevious?: P;
  /** The one artifact it appends. */
  appends: A;
  /** Runs once for the run, when every unit has come this far. */
  joins?: Joins;
  run(
    input: StageInput<R, P, AlertRead, Joins>,
    ports: FlowPorts,
  ): Promise<Outcome<ArtifactOf<A>>> | Outcome<ArtifactOf<A>>;
}

/** What was loaded for a stage, before it is given its declared types. */
export interface LoadedInput {
  alert: Alert | null;
  artifacts: ArtifactSet;
  previous: ArtifactSet;
  units: { unit: string; artifacts: ArtifactSet }[];
}

/** A stage as the flow and the executor see it. */
export interface Stage {
  name: string;
  app: string;
  readsAlert: boolean;
  reads: readonly ArtifactName[];
  readsPrevious: readonly ArtifactName[];
  appends: ArtifactName;
  joins: boolean;
  run(loaded: LoadedInput, ports: FlowPorts): Promise<Outcome<unknown>>;
}

/**
 * Makes a stage of its declaration. Types are checked here and erased for the flow; that nothing is read before
 * it is written is `checkFlow`'s part, that what is appended has its shape is the executor's.
 */
export function defineStage<
  const R extends readonly ArtifactName[],
  A extends ArtifactName,
  const P extends readonly ArtifactName[] = readonly [],
  AlertRead extends boolean = false,
  Joins extends boolean = false,
>(spec: StageSpec<R, P, A, AlertRead, Joins>): Stage {
  type Input = StageInput<R, P, AlertRead, Joins>;
  return {
    name: spec.name,
    app: spec.app,
    readsAlert: spec.readsAlert ?? false,
    reads: spec.reads,
    readsPrevious: spec.readsPrevious ?? [],
    appends: spec.appends,
    joins: spec.joins ?? false,
    run: async ({ alert, artifacts, previous, units }, ports) => {
      const own =
        spec.joins === true
          ? { units: units.map((one) => ({ unit: one.unit, ...one.artifacts })) }
          : artifacts;
      return spec.run({ ...own, previous, alert } as unknown as Input, ports);
    },
  };
}
