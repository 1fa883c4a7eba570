import {
  CasefileError,
  type AnswerTaken,
  type ChosenOption,
  type Clock,
  type Logger,
  type RunSettings,
} from '@casefile/contracts';
import { aRunSettings, manualClock } from '@casefile/contracts/testing';
import type { Playbook } from '../playbook.js';
import { toyKind } from './toy-kind.js';
import type { FlowPorts } from '../stage.js';
import { shippedPrompts } from './shipped-prompts.js';
import { FakeModel, type ModelScript } from './fake-model.js';

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  facts: Record<string, unknown>;
  message: string;
}

export interface FakePortsOptions {
  /** null: no provider. */
  script?: ModelScript[] | null;
  /** Time by which the clock advances at each model call. */
  msPerCall?: number;
  playbook?: Playbook;
  settings?: Partial<RunSettings>;
  /** Time at which the sender reported the end. Default: no report. */
  resolvedAt?: string;
  clock?: Clock & { advance?(ms: number): void };
  signal?: AbortSignal;
  /** Returns which of several runs answers a question. Default: this run. */
  taken?: AnswerTaken;
  /** The chosen option; null: no answer yet; omitted: the fallback is used. */
  chosen?: ChosenOption | null;
}

export type FakePorts = FlowPorts & { model: FakeModel; lines: LogLine[] };

/** Ports of a stage without a process around it: a scripted model, no tools, a clock that stands still. */
export function fakePorts(options: FakePortsOptions = {}): FakePorts {
  const clock = options.clock ?? manualClock();
  const playbook = options.playbook ?? toyKind;
  const script = options.script === undefined ? null : options.script;
  const lines: LogLine[] = [];
  return {
    run: {
      runId: 'run-1',
      caseId: 'case-1',
      lane: 'live',
      unit: '',
      round: 1,
      settings: aRunSettings({
        strategy: playbook.strategy,
        provider: 'fake',
        model: 'fake-1',
        options: playbook.options.defaults,
        ...options.settings,
      }),
    },
    resolvedAt: async () => options.resolvedAt ?? null,
    playbook,
    model: new FakeModel(clock, script, (ms) => clock.advance?.(ms), options.msPerCall),
    signals: {
      chosen: (_step, { fallback }) =>
        options.chosen === undefined ? { value: fallback, by: null, at: null } : options.chosen,
    },
    answers: {
      take: async () => options.taken ?? { kind: 'make' },
      artifact: async () => {
        throw new CasefileError('evidence_miss', 'there is no other run');
      },
    },
    tools: {
      locality: () => null,
      entityTypes: () => [],
      describe: () => null,
      offers: () => ({ tools: [], out: [] }),
      inline: async () => [],
      recorded: () => [],
    },
    reader: {
      read: () => Promise.reject(new CasefileError('unreadable_image', 'no reader here')),
      close: async () => undefined,
    },
    withoutSecrets: async (text) => text,
    prompts: shippedPrompts,
    clock,
    log: loggerTo(lines),
    signal: options.signal ?? new AbortController().signal,
    lines,
  };
}

function loggerTo(lines: LogLine[], bound: object = {}): Logger {
  const at = (level: LogLine['level']) => (facts: object, message: string) =>
    void lines.push({ level, facts: { ...bound, ...facts }, message });
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (facts) => loggerTo(lines, { ...bound, ...facts }),
  };
}
