import type { ArtifactRecord, EventRecord, Interaction, ShownRun, ToolCall } from '@casefile/contracts';

/** The work of one stage in one round, for one unit of the run. */
export interface TimelineSection {
  /** Element id on the page: `reason-1`, or `reason-1-unit_2` with a unit. */
  id: string;
  stage: string;
  round: number;
  unit: string;
  artifact: ArtifactRecord | null;
  interactions: Interaction[];
  toolCalls: ToolCall[];
  /** Notable events of the stage: failures, waits, a quarantine. */
  notes: EventRecord[];
  startedAt: string;
  /** Time at which the stage's artifact was written; null if there is none yet. */
  endedAt: string | null;
  /** Whether the run is in this stage now. */
  isCurrent: boolean;
}

/** The stages in their order, with the artifact each appends. */
export const STAGES = [
  { stage: 'triage', artifact: 'brief' },
  { stage: 'collect', artifact: 'evidence' },
  { stage: 'reason', artifact: 'draft' },
  { stage: 'critique', artifact: 'review' },
  { stage: 'write', artifact: 'report' },
  { stage: 'decide', artifact: 'verdict' },
] as const;

/** Events that are shown. Ordinary progress is visible from the artifacts. */
const NOTED = new Set([
  'stage.failed',
  'stage.postponed',
  'stage.suspended',
  'signal.given',
  'run.stopped',
  'run.quarantined',
  'run.redriven',
  'interaction.diverged',
  'interaction.refused',
  'evidence.missed',
  'resolution.read',
]);
const NOT_ENDED = new Set(['due', 'running', 'suspended', 'parked']);

/** Returns the sections of a run from its first stage to its current one, in order of time. */
export function runTimeline(run: ShownRun): TimelineSection[] {
  const sections = new Map<string, TimelineSection>();
  const at = (stage: string, round: number, unit: string, when: string): TimelineSection => {
    const id = sectionId(stage, round, unit);
    const section = sections.get(id) ?? emptySection(id, stage, round, unit, when);
    if (when < section.startedAt) section.startedAt = when;
    sections.set(id, section);
    return section;
  };
  for (const interaction of run.interactions)
    at(interaction.stage, interaction.round, interaction.unit, interaction.createdAt).interactions.push(
      interaction,
    );
  for (const call of run.toolCalls)
    at(call.stage, call.round, call.unit, call.createdAt).toolCalls.push(call);
  for (const artifact of run.artifacts) {
    const section = at(artifactStage(artifact), artifact.round, artifact.unit, artifact.createdAt);
    section.artifact = artifact;
    section.endedAt = artifact.createdAt;
  }
  for (const event of run.trace.filter(({ type }) => isNoted(type))) addNote(event, run, at);
  markCurrent(run, at);
  return [...sections.values()].sort(byTime);
}

/** Returns whether an element id is that of a step of the run. */
export function isStep(run: ShownRun, id: string): boolean {
  return (
    runTimeline(run).some((section) => section.id === id) ||
    run.toolCalls.some((call) => `tool-${call.id}` === id) ||
    run.interactions.some((call) => `interaction-${call.id}` === id)
  );
}

/** Returns the element id of a section. */
export function sectionId(stage: string, round: number, unit: string): string {
  return unit === '' ? `${stage}-${round}` : `${stage}-${round}-${unit}`;
}

function emptySection(
  id: string,
  stage: string,
  round: number,
  unit: string,
  startedAt: string,
): TimelineSection {
  return {
    id,
    stage,
    round,
    unit,
    startedAt,
    endedAt: null,
    isCurrent: false,
    artifact: null,
    interactions: [],
    toolCalls: [],
    notes: [],
  };
}

function artifactStage({ artifact }: ArtifactRecord): string {
  return STAGES.find((it) => it.artifact === artifact)?.stage ?? artifact;
}

function isNoted(type: string): boolean {
  return NOTED.has(type) || type.startsWith('operator.');
}

type At = (stage: string, round: number, unit: string, when: string) => TimelineSection;

function addNote(event: EventRecord, run: ShownRun, at: At): void {
  const { stage, round, unit } = event.data;
  const where = typeof stage === 'string' ? stage : run.stage;
  if (where === null) return;
  const section = at(
    where,
    typeof round === 'number' ? round : run.round,
    typeof unit === 'string' ? unit : '',
    event.at,
  );
  section.notes.push(event);
}

function markCurrent(run: ShownRun, at: At): void {
  if (!NOT_ENDED.has(run.status)) return;
  const last = run.trace.at(-1)?.at ?? run.createdAt;
  const open = run.units.filter((unit) => unit.stage !== null && NOT_ENDED.has(unit.status));
  for (const { stage, round, unit } of open)
    if (stage !== null) at(stage, round, unit, last).isCurrent = true;
  if (open.length === 0 && run.stage !== null) at(run.stage, run.round, '', last).isCurrent = true;
}

function byTime(a: TimelineSection, b: TimelineSection): number {
  return (
    compare(a.startedAt, b.startedAt) || a.round - b.round || rank(a) - rank(b) || compare(a.unit, b.unit)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function rank({ stage }: TimelineSection): number {
  const place = STAGES.findIndex((it) => it.stage === stage);
  return place < 0 ? STAGES.length : place;
}
