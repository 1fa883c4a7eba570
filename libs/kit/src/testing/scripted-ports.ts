import {
  CasefileError,
  toStored,
  type Json,
  type RunSettings,
  type ToolCall,
  type ToolRequest,
  type Wait,
} from '@casefile/contracts';
import { playbookStrategy, type FlowPorts, type Playbook, type StepModel } from '@casefile/pipeline';
import { FakeModel } from '@casefile/pipeline/testing/fake-model';
import { fakePorts } from '@casefile/pipeline/testing/fake-ports';
import type { Answers } from './answers.js';
import type { ModelAnswer, Script } from './script.js';

/** Stage of a unit. */
export interface Place {
  unit: string;
  stage: string;
  round: number;
}

/** Ports of the stages of a scripted run. All tools are separate jobs, for which a stage waits. */
export class ScriptedPorts {
  readonly settings: RunSettings;
  private readonly common: FlowPorts;
  private readonly calls = new Map<string, ToolCall[]>();
  private modelCalls = 0;

  constructor(
    private readonly playbook: Playbook,
    private readonly script: Script,
    private readonly answers: Answers,
  ) {
    const { name, version, tools, maxRounds, onOutage, options, decision } = playbook;
    const strategy = script.strategy ?? playbook.strategy;
    const { prompts } = playbookStrategy(playbook, strategy);
    const changed = { ...options.defaults, ...script.options };
    options.check(changed);
    this.settings = {
      playbook: name,
      playbookVersion: version,
      strategy,
      policy: decision.name,
      provider: script.model === undefined ? 'none' : 'scripted',
      model: script.model === undefined ? 'none' : 'scripted',
      promptIds: Object.fromEntries(Object.entries(prompts).map(([use, { id }]) => [use, id])),
      tools: [...tools],
      maxRounds,
      onOutage,
      options: changed,
    };
    this.common = fakePorts({ playbook, settings: this.settings });
  }

  /** Returns the time, which does not pass. ISO 8601. */
  now(): string {
    return new Date(this.common.clock.now()).toISOString();
  }

  /** Returns the ports of one stage of a unit. */
  of(place: Place): FlowPorts {
    const { tools, run } = this.common;
    const at = pathOf(place);
    return {
      ...this.common,
      run: { ...run, unit: place.unit, round: place.round },
      model: this.model(at),
      tools: {
        ...tools,
        locality: (tool) => (this.playbook.tools.includes(tool) ? 'remote' : null),
        entityTypes: (tool) => this.script.tools?.[tool]?.entityTypes ?? [],
        recorded: (step) => this.calls.get(`${at}/${step}`) ?? [],
      },
    };
  }

  /** Makes the tool calls that a stage waits for. */
  async answer({ step, calls }: Wait, place: Place): Promise<void> {
    if (calls.length === 0)
      throw new CasefileError('unexpected', 'a stage waits for a person, and no person is here');
    const at = `${pathOf(place)}/${step}`;
    if (this.calls.has(at)) throw new CasefileError('unexpected', `a stage waits again for step ${step}`);
    const made: ToolCall[] = [];
    for (const [seq, { tool, args }] of calls.entries()) {
      const request = { tool, args };
      const ended = await this.answers
        .once<Json>(`${at}/tool/${seq}`, request, () => this.toolAnswer(request))
        .then(
          (result) => ({ state: 'succeeded' as const, result, reasonCode: null, message: null }),
          ({ reasonCode, message }: CasefileError) => {
            return { state: 'failed' as const, result: null, reasonCode, message };
          },
        );
      const { runId } = this.common.run;
      const times = { durationMs: 0, createdAt: this.now(), settledAt: this.now() };
      const call = { ...place, ...request, runId, id: `${at}/${seq}`, step, seq, attempts: 1, source: tool };
      made.push(toStored({ ...call, ...times, ...ended }));
    }
    this.calls.set(at, made);
  }

  private async toolAnswer({ tool, args }: ToolRequest): Promise<Json> {
    const scripted = this.script.tools?.[tool];
    if (scripted === undefined) throw new CasefileError('not_configured', `the script has no tool ${tool}`);
    return scripted.answer(args);
  }

  private model(at: string): StepModel {
    const { clock, model } = this.common;
    return {
      available: this.script.model !== undefined,
      recorded: () => false,
      draw: (deadlineMs) => model.draw(deadlineMs),
      call: (step, request, deadlineAt) =>
        this.answers.once(`${at}/model/${step}`, request, () => {
          const answer = this.modelAnswer(request);
          const isObject = typeof answer !== 'string' && !(answer instanceof CasefileError);
          const model = new FakeModel(clock, [isObject ? JSON.stringify(answer) : answer]);
          return model.call(step, request, deadlineAt);
        }),
    };
  }

  private modelAnswer(request: Parameters<StepModel['call']>[1]): ModelAnswer {
    const { model = [] } = this.script;
    const answer = typeof model === 'function' ? model(request) : model[this.modelCalls++];
    // No strategy falls back to its rules for this error.
    if (answer === undefined)
      throw new CasefileError('evidence_miss', `the script has no answer ${this.modelCalls} of the model`);
    return answer;
  }
}

const pathOf = ({ unit, stage, round }: Place) => `${unit}/${stage}/${round}`;
