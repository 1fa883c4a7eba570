import type { ShownRun } from '@casefile/contracts';
import { durationText } from '../../format/time.js';
import { Badge } from '../../ui/badge.js';
import { Anchored, AnchorLink } from '../../ui/anchored.js';
import { cx } from '../../ui/cx.js';
import { ErrorBoundary } from '../../ui/error-boundary.js';
import { ArtifactView } from './artifact-view.js';
import { evidenceLinks } from './evidence-places.js';
import { EvidenceSection } from './evidence-section.js';
import { InteractionCard } from './interaction-card.js';
import { Notes } from './notes.js';
import { timelineOf, type TimelineSection } from './timeline.js';
import { UnitBadge } from './unit-badge.js';
import { ToolCalls } from './tool-calls.js';

/** The run, stage by stage and round by round. */
export function Timeline({ run }: { run: ShownRun }) {
  return (
    <ol className="timeline">
      {timelineOf(run).map((section) => (
        <li key={section.id} className={cx('stage', section.isCurrent && 'stage-current')}>
          <Section run={run} section={section} />
        </li>
      ))}
    </ol>
  );
}

const TITLES: Record<string, string> = {
  triage: 'Triage',
  collect: 'Collect evidence',
  reason: 'Reason',
  critique: 'Critique',
  write: 'Write the report',
  decide: 'Decide',
};

function Section({ run, section }: { run: ShownRun; section: TimelineSection }) {
  const { id, stage, round, unit, isCurrent, startedAt, endedAt } = section;
  const title = TITLES[stage] ?? stage;
  const name = `${title}${round > 1 ? `, round ${round}` : ''}`;
  return (
    <Anchored id={id} name={name} className="stage-body">
      <header className="stage-head">
        <h2>{title}</h2>
        {round > 1 && <Badge tone="accent">round {round}</Badge>}
        {unit !== '' && <Badge>{unit}</Badge>}
        {isCurrent && <UnitBadge unit={run.units.find((it) => it.unit === unit) ?? run} />}
        <AnchorLink id={id} name={name} />
        <span className="card-end quiet num">
          {endedAt !== null && `+${durationText(Date.parse(endedAt) - Date.parse(run.createdAt))}`}
          {endedAt !== null && Date.parse(endedAt) - Date.parse(startedAt) >= 50 && (
            <> · took {durationText(Date.parse(endedAt) - Date.parse(startedAt))}</>
          )}
        </span>
      </header>
      <Notes notes={section.notes} />
      <ErrorBoundary
        of={section}
        fallback={<p className="part-failed">This part of the record cannot be shown.</p>}
      >
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
