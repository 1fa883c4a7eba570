import {
  canonicalJson,
  CasefileError,
  type ArtifactName,
  type ArtifactOf,
  type CaseReader,
  type EventRecord,
  type Interaction,
  type RunDocument,
  type RunSettings,
  type SignalRecord,
  type StageKey,
  type ToolCall,
  type ToolOffers,
  type ToolRequest,
} from '@casefile/contracts';

/** Event of a stage that read the end of its alert. */
export const RESOLUTION_READ = 'resolution.read';

/** Error of a step that ended without an attempt. */
interface Refusal {
  reasonCode: string;
  message: string;
}

/** Data of the event `RESOLUTION_READ`. */
interface AlertEnd {
  resolvedAt: string;
  /** Model steps that the stage had reached before. */
  steps: number;
}

/** The record of a run, as another run of the same case reads it. */
export class Recording {
  private readonly attempts = new Map<string, Interaction[]>();
  private readonly byHash = new Map<string, Interaction>();
  private readonly ofCalls = new Map<string, Interaction[]>();
  private readonly seeds = new Map<string, string>();
  private readonly calls = new Map<string, ToolCall[]>();
  private readonly refusals = new Map<string, Refusal>();
  private readonly ends = new Map<string, AlertEnd>();

  constructor(readonly run: RunDocument) {
    for (const one of run.interactions) this.addInteraction(one);
    for (const call of run.toolCalls) {
      if (call.state !== 'succeeded' && call.state !== 'failed') continue;
      push(this.calls, inWords(call), call);
    }
    for (const event of run.trace) this.addEvent(event);
  }

  private addEvent({ type, data }: EventRecord): void {
    const { unit, stage, round } = data as unknown as Place;
    if (type === RESOLUTION_READ) {
      const end = data as unknown as AlertEnd;
      const place = stageKeyStage({ unit, stage, round });
      if (!this.ends.has(place)) this.ends.set(place, end);
    }
    // Skips refusals of tools, which are not refusals of the stage.
    if (type !== 'interaction.refused' || data['toolCallId'] !== undefined) return;
    const { step, reasonCode, message } = data as unknown as Place & Refusal;
    this.refusals.set(keyPlace({ unit, stage, round }, step), { reasonCode, message });
  }

  private addInteraction(one: Interaction): void {
    const { toolCallId = null, step, state, requestHash } = one;
    if (toolCallId !== null) return push(this.ofCalls, toolCallId, one);
    push(this.attempts, keyPlace(one, step), one);
    this.seeds.set(stageKeyStage(one), one.draw.seed);
    if (state === 'completed' && !this.byHash.has(requestHash)) this.byHash.set(requestHash, one);
  }

  /**
   * Returns the end of the alert that a stage read; null: it read none, or it read it at a later step.
   * @param steps number of model steps that the stage has reached.
   */
  resolvedAt(key: StageKey, steps: number): string | null {
    const end = this.ends.get(stageKeyStage(key));
    return end !== undefined && steps >= end.steps ? end.resolvedAt : null;
  }

  /** Returns whether the run had a model. */
  get hadModel(): boolean {
    if (this.run.settings.provider === 'none') return false;
    if (this.run.interactions.length > 0) return true;
    const reasons = this.run.artifacts.map(({ body }) => body['fallbackReason']);
    return !reasons.includes('no_provider');
  }

  /** Returns the seed of a stage's marks. If the stage asked no model, returns the seed of another stage. */
  seedOf(key: StageKey): string | undefined {
    return this.seeds.get(stageKeyStage(key)) ?? this.seeds.values().next().value;
  }

  /**
   * Returns the id of the texts that a stage's prompts were rendered from. If the stage asked no model,
   * returns that of another stage.
   */
  promptSetOf(key: StageKey): string | null {
    const sets = this.run.interactions.filter(({ draw }) => draw.prompts !== undefined);
    const own = sets.findLast((one) => stageKeyStage(one) === stageKeyStage(key)) ?? sets.at(-1);
    return own?.draw.prompts ?? null;
  }

  /** Returns all attempts at one step, in order. */
  attemptsAt(key: StageKey, step: number): readonly Interaction[] {
    return this.attempts.get(keyPlace(key, step)) ?? [];
  }

  refusalAt(key: StageKey, step: number): Refusal | null {
    return this.refusals.get(keyPlace(key, step)) ?? null;
  }

  /** Returns the questions of a stage to people. */
  signalsAt(key: StageKey): readonly SignalRecord[] {
    return (this.run.signals ?? []).filter((signal) => stageKeyStage(signal) === stageKeyStage(key));
  }

  /** Returns an answer to this request from any step of the run. */
  answerTo(requestHash: string): Interaction | null {
    return this.byHash.get(requestHash) ?? null;
  }

  /**
   * Returns the call of a tool with these arguments. Unread calls of the same stage and round come first.
   * @param read ids of calls that this stage has read.
   */
  callOf(key: StageKey, request: ToolRequest, read: ReadonlySet<string>): ToolCall | null {
    const matches = this.calls.get(inWords(request)) ?? [];
    const here = matches.filter((call) => stageKeyStage(call) === stageKeyStage(key));
    return here.find(({ id }) => !read.has(id)) ?? here.at(-1) ?? matches.at(-1) ?? null;
  }

  /** Returns the model calls that a tool made for one of its calls. */
  askedBy(toolCallId: string): readonly Interaction[] {
    return this.ofCalls.get(toolCallId) ?? [];
  }

  /** Returns the external tools that the run was frozen with. */
  offers(): ToolOffers {
    const evidence = this.artifact('evidence');
    return { tools: evidence?.tools ?? [], out: evidence?.toolsOut ?? [] };
  }

  /**
   * Returns the last artifact with this name of the run's own unit. @throws CasefileError `evidence_miss`.
   */
  lastArtifact<N extends ArtifactName>(name: N): ArtifactOf<N> {
    const match = this.run.artifacts.findLast(({ artifact, unit }) => artifact === name && unit === '');
    if (match === undefined)
      throw new CasefileError('evidence_miss', `the run ${this.run.id} has no ${name} that can be reused`);
    return match.body as unknown as ArtifactOf<N>;
  }

  /** Returns the first artifact with this name. Each was checked against its schema when it was written. */
  artifact<N extends 'brief' | 'evidence'>(name: N): ArtifactOf<N> | undefined {
    const match = this.run.artifacts.find(({ artifact }) => artifact === name);
    return match?.body as unknown as ArtifactOf<N> | undefined;
  }
}

type Place = Pick<StageKey, 'unit' | 'stage' | 'round'> & { step: number };

const stageKeyStage = ({ unit, stage, round }: Omit<StageKey, 'runId'>): string =>
  `${unit}/${stage}/${round}`;
const keyPlace = (key: Omit<StageKey, 'runId'>, step: number): string => `${stageKeyStage(key)}/${step}`;
// Replaces the characters that the record replaces (NUL, half of a surrogate pair), so that both texts
// compare equal.
const inWords = ({ tool, args }: ToolRequest): string =>
  `${tool} ${canonicalJson(args, (text) => text.replace(UNSTORABLE, '\ufffd'))}`;
const UNSTORABLE = /[\0\u2400\ud800-\udfff]/gu;

function push<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** Returns whether both runs use the same models. Only then can one run use an answer of the other. */
export function sameModels(a: RunSettings, b: RunSettings): boolean {
  const models = ({ provider, model, fallbackProviders, cheaperModel, lowModel, reasoning }: RunSettings) =>
    JSON.stringify([provider, model, fallbackProviders, cheaperModel, lowModel, reasoning]);
  return models(a) === models(b);
}

/** Recordings of ended runs that are kept for the stages that read them. */
const MOST_KEPT = 32;

/** Recordings, each read once for all stages of a process. */
export class Recordings {
  private readonly cache = new Map<string, Promise<Recording>>();

  constructor(private readonly record: Pick<CaseReader, 'getRun'>) {}

  /** Returns the recording of a run. @throws CasefileError `evidence_miss` if there is no such run. */
  of(runId: string): Promise<Recording> {
    const cachedRecording = this.cache.get(runId);
    if (cachedRecording !== undefined) return cachedRecording;
    const read = this.read(runId);
    this.cache.set(runId, read);
    read.catch(() => this.cache.delete(runId));
    const [oldest] = this.cache.keys();
    if (this.cache.size > MOST_KEPT && oldest !== undefined) this.cache.delete(oldest);
    return read;
  }

  private async read(runId: string): Promise<Recording> {
    const run = await this.record.getRun(runId);
    if (run === null) throw new CasefileError('evidence_miss', `the run ${runId} is not on the record`);
    return new Recording(run);
  }
}
