import type { Alert, ArtifactName, ArtifactOf, ArtifactSet, Outcome } from '@casefile/contracts';
import type { Playbook } from './playbook.js';
import type { StagePorts } from './stage-ports.js';

type ReadArtifacts<Names extends readonly ArtifactName[]> = { [N in Names[number]]: ArtifactOf<N> };

/** Everything that a stage can access, with the playbook of the run. */
export interface FlowPorts extends StagePorts {
  playbook: Playbook;
}

/** Input of a stage: exactly the declared artifacts, so that reading anything else does not compile. */
export type StageInput<
  R extends readonly ArtifactName[],
  P extends readonly ArtifactName[],
  AlertRead extends boolean,
  Joins extends boolean,
> = (Joins extends true ? { units: ({ unit: string } & ReadArtifacts<R>)[] } : ReadArtifacts<R>) & {
  /** Newest artifacts of the previous rounds. They are missing in the first round. */
  previous: Partial<ReadArtifacts<P>>;
} & (AlertRead extends true ? { alert: Alert } : unknown);

export interface StageSpec<
  R extends readonly ArtifactName[],
  P extends readonly ArtifactName[],
  A extends ArtifactName,
  AlertRead extends boolean,
  Joins extends boolean,
> {
  /** A verb, which is also the name of the stage's queue. */
  name: string;
  /** The app that hosts the stage. */
  app: string;
  /** Whether and how the stage reads the alert. */
  readsAlert?: AlertRead;
  /** Artifacts of earlier stages. */
  reads: R;
  /** Artifacts of the rounds before. */
  readsPrevious?: P;
  /** The only artifact that the stage appends. */
  appends: A;
  /** Whether the stage runs once for the run, after every unit has reached it. */
  joins?: Joins;
  run(
    input: StageInput<R, P, AlertRead, Joins>,
    ports: FlowPorts,
  ): Promise<Outcome<ArtifactOf<A>>> | Outcome<ArtifactOf<A>>;
}

/** Loaded input of a stage, before it gets its declared types. */
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
 * Creates a stage from its declaration. Types are checked here and erased for the flow. `checkFlow` checks
 * that artifacts are appended before they are read; the executor checks the shape of appended artifacts.
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
