import { counted, rich, t } from '../../strings/text.js';
import type { EventRecord, ShownRun, ToolCall } from '@casefile/contracts';
import { durationText } from '../../format/time.js';
import { Anchored, AnchorLink, useTarget } from '../../ui/anchored.js';
import { Badge, Dot } from '../../ui/badge.js';
import { ErrorBoundary } from '../../ui/error-boundary.js';
import { Stamp } from '../../ui/stamp.js';
import { ArtifactView } from './artifact-view.js';
import { evidenceLinks } from './evidence-places.js';
import { eventSentence, eventTone } from './event-words.js';
import { EvidenceSection } from './evidence-section.js';
import { InteractionCard } from './interaction-card.js';
import { Call } from './tool-call.js';
import type { TimelineSection } from './timeline.js';
import { UnitBadge } from './unit-badge.js';

const TITLES: Record<string, string> = {
  triage: t('case.triage'),
  collect: t('case.collectEvidence'),
  reason: t('case.reason'),
  critique: t('case.critique'),
  write: t('case.writeTheReport'),
  decide: t('case.decide'),
};

/** One stage in one round: its events, calls and result. */
export function Section({ run, section }: { run: ShownRun; section: TimelineSection }) {
  const { id, stage, round, unit, isCurrent, startedAt, endedAt } = section;
  const title = TITLES[stage] ?? stage;
  const name = `${title}${round > 1 ? t('case.round2', { round }) : ''}`;
  return (
    <Anchored id={id} name={name} className="stage-body">
      <header className="stage-head">
        <h2>{title}</h2>
        {round > 1 && <Badge tone="accent">{rich('case.round', { round })}</Badge>}
        {unit !== '' && <Badge>{unit}</Badge>}
        {isCurrent && <UnitBadge unit={run.units.find((it) => it.unit === unit) ?? run} />}
        <AnchorLink id={id} name={name} />
        <span className="card-end quiet num">
          {endedAt !== null && `+${durationText(Date.parse(endedAt) - Date.parse(run.createdAt))}`}
          {endedAt !== null && Date.parse(endedAt) - Date.parse(startedAt) >= 50 && (
            <>{rich('case.took', { endedAt: durationText(Date.parse(endedAt) - Date.parse(startedAt)) })}</>
          )}
        </span>
      </header>
      <Notes notes={section.notes} />
      <ErrorBoundary of={section} fallback={<p className="part-failed">{t('case.thisPartOfTheRecord')}</p>}>
        {section.artifact?.artifact === 'evidence' && <EvidenceSection run={run} section={section} />}
        <ToolCalls calls={section.toolCalls} open={section.artifact === null} />
        {section.interactions.map((interaction) => (
          <InteractionCard
            key={interaction.id}
            interaction={interaction}
            among={section.interactions}
            links={evidenceLinks(run, unit)}
          />
        ))}
        {section.artifact !== null && section.artifact.artifact !== 'evidence' && (
          <ArtifactView run={run} record={section.artifact} />
        )}
      </ErrorBoundary>
    </Anchored>
  );
}

/** Events of a stage. */
function Notes({ notes }: { notes: EventRecord[] }) {
  if (notes.length === 0) return null;
  return (
    <ul className="notes">
      {notes.map((note) => (
        <li key={note.id}>
          <Dot tone={eventTone(note.type)} />
          <span>{eventSentence(note)}</span>
          <span className="quiet">
            <Stamp at={note.at} clock />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Each call of a tool: arguments, outcome and duration. */
function ToolCalls({ calls, open }: { calls: ToolCall[]; open: boolean }) {
  const target = useTarget();
  if (calls.length === 0) return null;
  const failed = calls.filter(({ state }) => state === 'failed').length;
  const isTarget = calls.some(({ id }) => target === `tool-${id}`);
  return (
    <details className="tool-calls" open={open || isTarget}>
      <summary>
        {counted('count.toolCall', calls.length)}
        {failed > 0 && <span className="quiet">{rich('case.withoutAnAnswer', { failed })}</span>}
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
