import type { Json, ToolCall, ToolCallState } from '@casefile/contracts';
import { countOf } from '../../format/numbers.js';
import { durationText } from '../../format/time.js';
import { visible } from '../../format/visible.js';
import { Anchored } from '../../ui/anchored.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { JsonView } from '../../ui/json-view.js';
import { Reason } from '../../ui/reason.js';
import { useTarget } from '../../ui/anchored.js';

const TONES: Record<ToolCallState, Tone> = {
  pending: 'blue',
  running: 'blue',
  succeeded: 'green',
  failed: 'amber',
};

/** Each use of a tool: what was asked, how it ended, how long it took. */
export function ToolCalls({ calls, open }: { calls: ToolCall[]; open: boolean }) {
  const target = useTarget();
  if (calls.length === 0) return null;
  const failed = calls.filter(({ state }) => state === 'failed').length;
  const isTarget = calls.some(({ id }) => target === `tool-${id}`);
  return (
    <details className="tool-calls" open={open || isTarget}>
      <summary>
        {countOf(calls.length, 'tool call')}
        {failed > 0 && <span className="quiet"> · {failed} without an answer</span>}
      </summary>
      <ul>
        {calls.map((call) => (
          <li key={call.id}>
            <Call call={call} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Call({ call }: { call: ToolCall }) {
  const { id, tool, args, state, attempts, durationMs, reasonCode, message, result } = call;
  return (
    <Anchored id={`tool-${id}`} name={`Call of ${tool}`} className="tool-call">
      <div className="tool-call-line">
        <a className="mono tool-name" href={`#tool-${id}`}>
          {tool}
        </a>
        <span className="mono cut tool-args" dir="auto">
          {argsText(args)}
        </span>
        <Badge tone={TONES[state]} dot={state === 'pending' || state === 'running' ? 'pulse' : undefined}>
          {state}
        </Badge>
        <span className="quiet num nowrap">
          {attempts > 1 && `${countOf(attempts, 'attempt')} · `}
          {durationMs === null ? '' : durationText(durationMs)}
        </span>
      </div>
      {reasonCode !== null && (
        <p className="tool-why">
          <Reason code={reasonCode} />
          {message === null ? '' : `: ${visible(message)}`}
        </p>
      )}
      {result !== null && (
        <details className="more">
          <summary>Answer</summary>
          <JsonView value={result} label={`the answer of ${tool}`} />
        </details>
      )}
    </Anchored>
  );
}

function argsText(args: Record<string, Json>): string {
  return visible(
    Object.values(args)
      .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
      .join(' · '),
  );
}
