import { rich, t } from '../../../strings/text.js';
import { reasonInWords } from '@casefile/contracts/reason-codes';
import type { Interaction, Json, ShownRun, TraceAction, TraceStep } from '@casefile/contracts';
import { countText, moneyText } from '../../../format/numbers.js';
import { durationText } from '../../../format/time.js';
import { visible } from '../../../format/visible.js';
import { Badge } from '../../../ui/badge.js';
import { JsonView } from '../../../ui/json-view.js';
import { callOfTurn, recordedCall, traceStepThought, type CriterionRow } from './criteria.js';

interface TraceProps {
  run: ShownRun;
  row: CriterionRow;
  trace: TraceStep[];
}

/** The turns of a criterion: reasoning and actions of the model, and the results returned to it. */
export function Trace({ run, row, trace }: TraceProps) {
  if (trace.length === 0) return <p className="quiet">{t('policyCheck.noModelWasCalled')}</p>;
  return (
    <section aria-label={t('policyCheck.trace')}>
      <h3 className="trace-title">{t('policyCheck.trace')}</h3>
      <ol className="trace">
        {trace.map((turn) => (
          <li key={turn.iteration}>
            <Turn run={run} turn={turn} call={callOfTurn(run, row, turn.step)} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Turn({ run, turn, call }: { run: ShownRun; turn: TraceStep; call: Interaction | undefined }) {
  const { iteration, forced, actions, tokens, costUsd } = turn;
  const thought = traceStepThought(turn, call);
  return (
    <>
      <header className="turn-head">
        <h4>{rich('policyCheck.turn', { iteration })}</h4>
        {forced && (
          <Badge tone="amber" title={t('policyCheck.onlyFinishWasAllowed')}>
            {t('policyCheck.finishOnly')}
          </Badge>
        )}
        <span className="quiet num">
          {rich('policyCheck.inOut2', {
            latencyMs: call?.latencyMs != null && `${durationText(call.latencyMs)} · `,
            input: countText(tokens.input),
            output: countText(tokens.output),
            costUsd: moneyText(costUsd),
          })}
        </span>
      </header>
      {(thought !== '' || call !== undefined) && (
        <p className="thought" dir="auto">
          {visible(thought)} {call !== undefined && <a href={`#interaction-${call.id}`}>{wholeText(call)}</a>}
        </p>
      )}
      {actions.map((action, i) => (
        <Action key={i} run={run} action={action} />
      ))}
      {actions.length === 0 && <p className="quiet">{t('policyCheck.noToolCall')}</p>}
    </>
  );
}

function wholeText({ hasReasoning }: Interaction): string {
  return hasReasoning ? t('policyCheck.theWholeReasoning') : t('policyCheck.theModelCall');
}

function Action({ run, action }: { run: ShownRun; action: TraceAction }) {
  const { tool, args, observation, cut, cached, reasonCode, toolCallId } = action;
  const { call, interactions } = recordedCall(run, toolCallId);
  const took = action.durationMs ?? call?.durationMs ?? null;
  return (
    <div className="action">
      <div className="action-line">
        {call === undefined ? (
          <strong className="mono">{visible(tool)}</strong>
        ) : (
          <a className="mono" href={`#tool-${call.id}`}>
            {visible(tool)}
          </a>
        )}
        {cached && (
          <Badge tone="blue" title={t('policyCheck.resultOfAnEarlierCall')}>
            {t('policyCheck.cached')}
          </Badge>
        )}
        {reasonCode !== null && (
          <Badge tone="amber" title={reasonCode}>
            {reasonInWords(reasonCode)}
          </Badge>
        )}
        <span className="quiet num nowrap">{took === null || cached ? '' : durationText(took)}</span>
      </div>
      <Arguments args={args} of={tool} />
      {(cached ? [] : interactions).map((it) => (
        <p key={it.id} className="quiet num">
          {rich('policyCheck.modelCallInOut', {
            inputTokens: countText(it.usage.inputTokens),
            outputTokens: countText(it.usage.outputTokens),
            costUsd: moneyText(it.costUsd),
            link: <a href={`#interaction-${it.id}`}>{wholeText(it)}</a>,
          })}
        </p>
      ))}
      {observation !== '' && (
        <pre className="observation" dir="auto">
          {visible(observation)}
        </pre>
      )}
      {cut && call !== undefined && call.result !== null && (
        <details className="more">
          <summary>{t('policyCheck.showAll')}</summary>
          <JsonView value={call.result} label={t('policyCheck.theResultOf', { tool })} />
        </details>
      )}
    </div>
  );
}

/**
 * Most characters of arguments that are shown unfolded. The arguments of `finish` contain the whole answer.
 */
const SHORT_ARGUMENTS = 300;

function Arguments({ args, of }: { args: Json; of: string }) {
  const text = typeof args === 'string' ? args : JSON.stringify(args);
  if (text.length <= SHORT_ARGUMENTS) {
    return (
      <code className="action-args" dir="auto">
        {visible(text)}
      </code>
    );
  }
  return (
    <details className="more">
      <summary>{t('policyCheck.arguments')}</summary>
      <JsonView value={args} label={t('policyCheck.theArgumentsOf', { of })} />
    </details>
  );
}
