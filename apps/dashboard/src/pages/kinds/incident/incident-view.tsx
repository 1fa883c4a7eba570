import { reasonInWords } from '@casefile/contracts/reason-codes';
import type { IncidentResult, LookUp, ReadCitation, ShownRun } from '@casefile/contracts';
import type { ReactNode } from 'react';
import { visible } from '../../../format/visible.js';
import { Badge } from '../../../ui/badge.js';
import { SafeMarkdown } from '../../../ui/markdown.js';
import type { KindView } from '../index.js';
import { incidentOf, percent } from './incident.js';
import './incident.css';

/** An incident: likely causes, what was ruled out, what to do, what was read, and what could not be. S2-44, S2-50. */
export const incidentView: KindView = { Card, Why: () => null, Brief: () => null };

function Card({ run }: { run: ShownRun }) {
  const { result, rounds } = incidentOf(run);
  if (result === null && rounds.length === 0) return null;
  return (
    <section className="card investigation" aria-label="Investigation">
      <header className="card-head">
        <h2>Investigation</h2>
        <span className="quiet">{result === null ? 'under way' : endOf(result)}</span>
      </header>
      {result !== null && <Result result={result} />}
      {rounds.length > 0 && (
        <details open={result === null}>
          <summary>Analyses after each round ({rounds.length})</summary>
          <ol>
            {rounds.map(({ round, text }) => (
              <li key={round}>
                <SafeMarkdown text={visible(text)} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}

function endOf({ endedBy, stopped, iterations }: IncidentResult): string {
  const turns = `${iterations} turn${iterations === 1 ? '' : 's'}`;
  if (endedBy !== null) return `${turns}, ended early: ${reasonInWords(endedBy)}`;
  return stopped === null ? 'without a model' : turns;
}

function Result({ result }: { result: IncidentResult }) {
  const { hypotheses, ruledOut, steps, gaps, dropped, lookUps, runbook } = result;
  return (
    <>
      <Part title="Likely causes" none="No cause is borne out by what was read." items={hypotheses}>
        {({ cause, probability, citations }) => (
          <>
            <Badge tone="accent">{percent(probability)}</Badge> {visible(cause)}
            <Words citations={citations} />
          </>
        )}
      </Part>
      <Part title="Ruled out" items={ruledOut}>
        {({ cause, citations }) => (
          <>
            {visible(cause)}
            <Words citations={citations} />
          </>
        )}
      </Part>
      <Part title="What to do now" items={steps}>
        {({ what, risk, reversible }) => (
          <>
            {visible(what)}{' '}
            {result.model !== null && (
              <span className="quiet">
                risk {risk}, {reversible ? 'can be undone' : 'cannot be undone'}
              </span>
            )}
          </>
        )}
      </Part>
      <Part title="What could not be looked up" items={gaps}>
        {(gap) => visible(gap)}
      </Part>
      <Part title="Left out, for nothing that was read bears it out" items={dropped}>
        {(cause) => visible(cause)}
      </Part>
      {runbook !== null && (
        <p className="quiet">
          Runbook [{runbook.id}]: {visible(runbook.title)} ({visible(runbook.source)}). {visible(runbook.why)}
        </p>
      )}
      <LookUps lookUps={lookUps} />
    </>
  );
}

function Part<T>({
  title,
  items,
  none,
  children,
}: {
  title: string;
  items: readonly T[];
  none?: string;
  children(item: T): ReactNode;
}) {
  if (items.length === 0 && none === undefined) return null;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {items.length === 0 ? (
        <p className="quiet">{none}</p>
      ) : (
        <ul>
          {items.map((item, i) => (
            <li key={i} dir="auto">
              {children(item)}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The words of look-ups that something rests on. */
function Words({ citations }: { citations: readonly ReadCitation[] }) {
  return (
    <>
      {citations.map(({ id, quote }, i) => (
        <blockquote key={i}>
          “{visible(quote)}” <span className="mono quiet">[{visible(id)}]</span>
        </blockquote>
      ))}
    </>
  );
}

function LookUps({ lookUps }: { lookUps: readonly LookUp[] }) {
  if (lookUps.length === 0) return null;
  return (
    <section aria-label="Looked up">
      <h3>Looked up</h3>
      <ul>
        {lookUps.map(({ id, tool, args, said, gap }) => (
          <li key={id}>
            <span className="mono">
              [{id}] {visible(tool)}
            </span>{' '}
            <code>{visible(JSON.stringify(args))}</code>
            <p>{gap === null ? visible(said) : <Badge tone="amber">no answer: {visible(gap)}</Badge>}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
