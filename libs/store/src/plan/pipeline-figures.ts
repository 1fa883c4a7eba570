import type { Lane, PipelineFigures, VerdictFigures, WorkDone } from '@casefile/contracts';

/** Events that are alike, and how many there are of them. */
export interface CountedEvent {
  type: string;
  stage: string;
  /** The tool of a tool call. */
  tool: string | null;
  lane: Lane;
  /** Of a verdict, as is the next. */
  disposition: string | null;
  degraded: boolean | null;
  /** A call of a tool that lacks a key or an address. */
  notConfigured: boolean;
  n: number;
}

const VERDICT = 'verdict.decided';
const TOOL_CALL = 'tool-call.completed';

/** Figures of what was done in the last minute and what ended in the last hour. */
export function pipelineFiguresOf(
  done: readonly CountedEvent[],
  ended: readonly CountedEvent[],
): Pick<PipelineFigures, 'stages' | 'tools' | 'verdicts'> {
  const failed = ended.filter((event) => event.type !== VERDICT);
  const isCall = (event: CountedEvent): boolean => event.type === TOOL_CALL;
  const isStage = (event: CountedEvent): boolean => !isCall(event) && event.stage !== '';
  return {
    stages: workDone(done.filter(isStage), failed.filter(isStage), (event) => event.stage),
    tools: workDone(done.filter(isCall), failed.filter(isCall), (event) => event.tool ?? ''),
    verdicts: verdictFigures(ended.filter((event) => event.type === VERDICT)),
  };
}

function workDone(
  done: CountedEvent[],
  failed: CountedEvent[],
  nameOf: (event: CountedEvent) => string,
): WorkDone[] {
  const all = new Map<string, WorkDone>();
  const of = (event: CountedEvent): WorkDone => {
    const [name, lane] = [nameOf(event), event.lane];
    const key = JSON.stringify([name, lane]);
    const known = all.get(key) ?? {
      name,
      lane,
      doneLastMinute: 0,
      failedLastHour: 0,
      notConfiguredLastHour: 0,
    };
    all.set(key, known);
    return known;
  };
  for (const event of done) of(event).doneLastMinute += event.n;
  for (const event of failed) {
    of(event)[event.notConfigured ? 'notConfiguredLastHour' : 'failedLastHour'] += event.n;
  }
  return [...all.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, work]) => work);
}

function verdictFigures(verdicts: CountedEvent[]): VerdictFigures {
  const count = (of: CountedEvent[]): number => of.reduce((sum, event) => sum + event.n, 0);
  const lastHour = count(verdicts);
  const byDisposition: Record<string, number> = {};
  for (const { disposition, n } of verdicts) {
    if (disposition !== null) byDisposition[disposition] = (byDisposition[disposition] ?? 0) + n;
  }
  const part = (of: CountedEvent[]): number | null => (lastHour === 0 ? null : count(of) / lastHour);
  return {
    lastHour,
    byDisposition,
    fallbackRate: part(verdicts.filter((event) => event.degraded === true)),
    abstainRate: part(verdicts.filter((event) => event.disposition === 'review')),
  };
}
