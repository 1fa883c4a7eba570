import {
  CasefileError,
  type Clock,
  type Draw,
  type ModelRequest,
  type ModelResponse,
} from '@casefile/contracts';
import type { StepModel } from '../stage-ports.js';

/** Seed of every draw, which its fences depend on. */
export const FAKE_SEED = 'seed';

/** Behaviour of the model at each call: an answer, an error, or no answer. */
export type ModelScript = string | CasefileError | 'never';

export interface FakeModelCall {
  step: number;
  request: ModelRequest;
  deadlineAt: number | null;
}

/** A journalled model that follows a script, one entry a call; a call past the script's end is a mistake of the test. */
export class FakeModel implements StepModel {
  readonly calls: FakeModelCall[] = [];
  readonly drawnFor: (number | null)[] = [];
  private drawn: Draw | null = null;

  constructor(
    private readonly clock: Clock,
    private readonly script: ModelScript[] | null,
    private readonly thinksFor: (ms: number) => void = () => undefined,
    private readonly msPerCall = 0,
  ) {}

  get available(): boolean {
    return this.script !== null;
  }

  recorded(): boolean {
    return false;
  }

  draw(deadlineMs: number | null): Draw {
    this.drawnFor.push(deadlineMs);
    this.drawn ??= {
      seed: FAKE_SEED,
      deadlineAt: deadlineMs === null ? null : this.clock.now() + deadlineMs,
    };
    return this.drawn;
  }

  async call(step: number, request: ModelRequest, deadlineAt: number | null): Promise<ModelResponse> {
    if (deadlineAt !== null && this.clock.now() >= deadlineAt) throw timeout();
    this.calls.push({ step, request, deadlineAt });
    const next = this.script?.[this.calls.length - 1];
    if (next === undefined) throw new Error('the script of the fake model has no further answer');
    this.thinksFor(this.msPerCall);
    if (deadlineAt !== null && this.clock.now() >= deadlineAt) throw timeout();
    if (next === 'never') return neverUntil(deadlineAt, this.clock);
    if (next instanceof CasefileError) throw next;
    return responseOf(next);
  }
}

/** Ends with `timeout` at the deadline and not before; without one it never ends. Meant for fake timers. */
function neverUntil(deadlineAt: number | null, clock: Clock): Promise<ModelResponse> {
  let fail: (error: CasefileError) => void = () => undefined;
  const never = new Promise<ModelResponse>((_, reject) => (fail = reject));
  if (deadlineAt !== null) setTimeout(() => fail(timeout()), deadlineAt - clock.now());
  return never;
}

function timeout(): CasefileError {
  return new CasefileError('timeout', 'no answer in time');
}

function responseOf(content: string): ModelResponse {
  return {
    provider: 'fake',
    model: 'fake-1',
    content,
    toolCalls: [],
    finishReason: 'stop',
    usage: { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, cachedTokens: 0 },
    reasoning: null,
    raw: null,
    costUsd: null,
  };
}
