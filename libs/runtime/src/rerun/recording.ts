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

/** The event of a stage that was given the end of its alert. */
export const RESOLUTION_READ = 'resolution.read';

/** How a step ended that no attempt tells of. */
interface Refusal {
  reasonCode: string;
  message: string;
}

/** What that event says. */
interface AlertEnd {
  resolvedAt: string;
  /** Model steps that the stage had come to before. */
  steps: number;
}

/** What is on the record of a run, as another run of the same case reads it again. */
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
      const place = stageOf({ unit, stage, round });
      if (!this.ends.has(place)) this.ends.set(place, end);
    }
    // What a tool was refused its stage was not.
    if (type !== 'interaction.refused' || data['toolCallId'] !== undefined) return;
    const { step, reasonCode, message } = data as unknown as Place & Refusal;
    this.refusals.set(placeOf({ unit, stage, round }, step), { reasonCode, message });
  }

  private addInteraction(one: Interaction): void {
    const { toolCallId = null, step, state, requestHash } = one;
    if (toolCallId !== null) return push(this.ofCalls, toolCallId, one);
    push(this.attempts, placeOf(one, step), one);
    this.seeds.set(stageOf(one), one.draw.seed);
    if (state === 'completed' && !this.byHash.has(requestHash)) this.byHash.set(requestHash, one);
  }

  /**
   * When the alert was over, as a stage was told it; null: it was not, or it was told so later.
   * @param steps Model steps that the stage has come to.
   */
  resolvedAt(key: StageKey, steps: number): string | null {
    const end = this.ends.get(stageOf(key));
    return end !== undefined && steps >= end.steps ? end.resolvedAt : null;
  }

  /** Had the run a model to ask? */
  get hadModel(): boolean {
    if (this.run.settings.provider === 'none') return false;
    if (this.run.interactions.length > 0) return true;
    const reasons = this.run.artifacts.map(({ body }) => body['fallbackReason']);
    return !reasons.includes('no_provider');
  }

  /** What the marks of a stage were derived from; where it asked no model: those of another stage. */
  seedOf(key: StageKey): string | undefined {
    return this.seeds.get(stageOf(key)) ?? this.seeds.values().next().value;
  }

  /** The set of texts that the prompts of a stage were rendered from; where it asked no model: that of another stage. */
  promptSetOf(key: StageKey): string | null {
    const sets = this.run.interactions.filter(({ draw }) => draw.prompts !== undefined);
    const own = sets.findLast((one) => stageOf(one) === stageOf(key)) ?? sets.at(-1);
    return own?.draw.prompts ?? null;
  }

  /** All attempts at one step, in their order. */
  attemptsAt(key: StageKey, step: number): readonly Interaction[] {
    return this.attempts.get(placeOf(key, step)) ?? [];
  }

  refusalAt(key: StageKey, step: number): Refusal | null {
    return this.refusals.get(placeOf(key, step)) ?? null;
  }

  /** What was asked of people by a stage. */
  signalsAt(key: StageKey): readonly SignalRecord[] {
    return (this.run.signals ?? []).filter((asked) => stageOf(asked) === stageOf(key));
  }

  /** An answer to this request, wherever in the run it was asked. */
  answerTo(requestHash: string): Interaction | null {
    return this.byHash.get(requestHash) ?? null;
  }

  /**
   * The call of a tool with these arguments: of the same stage and round those that were not read yet come first.
   * @param read ids of calls that this stage has read.
   */
  callOf(key: StageKey, request: ToolRequest, read: ReadonlySet<string>): ToolCall | null {
    const found = this.calls.get(inWords(request)) ?? [];
    const here = found.filter((call) => stageOf(call) === stageOf(key));
    return here.find(({ id }) => !read.has(id)) ?? here.at(-1) ?? found.at(-1) ?? null;
  }

  /** Model calls that a tool made for one of its calls. */
  askedBy(toolCallId: string): readonly Interaction[] {
    return this.ofCalls.get(toolCallId) ?? [];
  }

  /** Tools of outside servers as the run was frozen with them. */
  offers(): ToolOffers {
    const evidence = this.artifact('evidence');
    return { tools: evidence?.tools ?? [], out: evidence?.toolsOut ?? [] };
  }

  /** The last artifact of a name of the run's own unit. @throws CasefileError `evidence_miss`. */
  lastArtifact<N extends ArtifactName>(name: N): ArtifactOf<N> {
    const found = this.run.artifacts.findLast(({ artifact, unit }) => artifact === name && unit === '');
    if (found === undefined)
      throw new CasefileError('evidence_miss', `the run ${this.run.id} has no ${name} that can be reused`);
    return found.body as unknown as ArtifactOf<N>;
  }

  /** The first artifact of a name. Each was held to its schema when it was written. */
  artifact<N extends 'brief' | 'evidence'>(name: N): ArtifactOf<N> | undefined {
    const found = this.run.artifacts.find(({ artifact }) => artifact === name);
    return found?.body as unknown as ArtifactOf<N> | undefined;
  }
}

type Place = Pick<StageKey, 'unit' | 'stage' | 'round'> & { step: number };

const stageOf = ({ unit, stage, round }: Omit<StageKey, 'runId'>): string => `${unit}/${stage}/${round}`;
const placeOf = (key: Omit<StageKey, 'runId'>, step: number): string => `${stageOf(key)}/${step}`;
// In the words of the record, which has no NUL and no half of a surrogate pair.
const inWords = ({ tool, args }: ToolRequest): string =>
  `${tool} ${canonicalJson(args, (text) => text.replace(UNSTORABLE, '\ufffd'))}`;
const UNSTORABLE = /[\0\u2400\ud800-\udfff]/gu;

function push<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** Are the same models asked under both? Only then is an answer under the one an answer under the other. */
export function sameModels(a: RunSettings, b: RunSettings): boolean {
  const models = ({ provider, model, fallbackProviders, cheaperModel, lowModel, reasoning }: RunSettings) =>
    JSON.stringify([provider, model, fallbackProviders, cheaperModel, lowModel, reasoning]);
  return models(a) === models(b);
}

/** Records of runs that have ended are kept for the stages of the runs that read them. */
const MOST_KEPT = 32;

/** Recordings, read once for all stages that a process works of the runs that read them. */
export class Recordings {
  private readonly kept = new Map<string, Promise<Recording>>();

  constructor(private readonly record: Pick<CaseReader, 'getRun'>) {}

  /** @throws CasefileError `evidence_miss` when there is no such run. */
  of(runId: string): Promise<Recording> {
    const known = this.kept.get(runId);
    if (known !== undefined) return known;
    const read = this.read(runId);
    this.kept.set(runId, read);
    read.catch(() => this.kept.delete(runId));
    const [oldest] = this.kept.keys();
    if (this.kept.size > MOST_KEPT && oldest !== undefined) this.kept.delete(oldest);
    return read;
  }

  private async read(runId: string): Promise<Recording> {
    const run = await this.record.getRun(runId);
    if (run === null) throw new CasefileError('evidence_miss', `the run ${runId} is not on the record`);
    return new Recording(run);
  }
}
