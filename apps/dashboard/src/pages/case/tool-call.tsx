import type { Json, ToolCall, ToolCallState } from '@casefile/contracts';
import { durationText } from '../../format/time.js';
import { visible } from '../../format/visible.js';
import { counted, t } from '../../strings/text.js';
import { Anchored } from '../../ui/anchored.js';
import { Badge, type Tone } from '../../ui/badge.js';
import { JsonView } from '../../ui/json-view.js';
import { Reason } from '../../ui/reason.js';

const TONES: Record<ToolCallState, Tone> = {
  pending: 'blue',
  running: 'blue',
  succeeded: 'green',
  failed: 'amber',
};

interface CallProps {
  call: ToolCall;
  /** Id by which an answer cites the result; undefined: the place shows no citation. */
  citedAs?: string;
  /** Whether the answer is unfolded. */
  isOpen?: boolean;
}

/** A call of a tool: arguments, outcome and duration. */
export function Call({ call, citedAs, isOpen = false }: CallProps) {
  const { id, tool, args, state, attempts, durationMs, reasonCode, message, result } = call;
  return (
    <Anchored id={`tool-${id}`} name={t('case.callOf', { tool })} className="tool-call">
      <div className="tool-call-line">
        {citedAs !== undefined && <span className="evidence-id num">{citedAs}</span>}
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
          {attempts > 1 && `${counted('count.attempt', attempts)} · `}
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
        <details className="more" open={isOpen}>
          <summary>{t('case.answer')}</summary>
          <JsonView value={result} label={t('case.theAnswerOf', { tool })} />
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
