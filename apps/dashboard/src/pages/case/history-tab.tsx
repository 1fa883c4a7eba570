import { rich, t } from '../../strings/text.js';
import type { EventRecord, ShownCase, ShownRun } from '@casefile/contracts';
import { useLocation } from 'wouter';
import { useOpenRun } from '../../api/runs.js';
import { visible } from '../../format/visible.js';
import { Button } from '../../ui/button.js';
import { Dot } from '../../ui/badge.js';
import { Stamp } from '../../ui/stamp.js';
import { eventSentence, eventTone } from './event-words.js';

const NOT_OVER = new Set(['due', 'running', 'suspended']);

/** Every event of a run, oldest first, and its replay. */
export default function HistoryTab({ shown, run }: { shown: ShownCase; run: ShownRun }) {
  return (
    <section className="card" aria-label={t('case.history')}>
      <header className="card-head">
        <h2>{t('case.historyOfThisRun')}</h2>
      </header>
      {shown.joinedBy != null && (
        <p className="quiet">{rich('case.laterAlertsJoinThisCase', { joinedBy: visible(shown.joinedBy) })}</p>
      )}
      {!NOT_OVER.has(run.status) && shown.erasures === undefined && <Replay caseId={shown.id} run={run} />}
      <ol className="history">
        {run.trace.map((event) => (
          <li key={event.id}>
            <span className="quiet">
              <Stamp at={event.at} />
            </span>
            <Dot tone={eventTone(event.type)} />
            <span>
              {eventSentence(event)} <span className="quiet">{placeText(event)}</span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function placeText({ data: { stage, round, unit } }: EventRecord): string {
  return [
    ...(typeof stage === 'string' ? [stage] : []),
    ...(typeof round === 'number' && round > 1 ? [t('case.round', { round })] : []),
    ...(typeof unit === 'string' && unit !== '' ? [unit] : []),
  ].join(', ');
}

/** Replays the run from its record, and shows both runs side by side. */
function Replay({ caseId, run }: { caseId: string; run: ShownRun }) {
  const open = useOpenRun(caseId);
  const [location, navigate] = useLocation();
  return (
    <p className="case-acts">
      <Button
        disabled={open.isPending}
        title={t('case.readsOnlyTheRecordCalls')}
        onClick={() =>
          open.mutate(
            { lane: 'replay', run: run.id },
            { onSuccess: ({ runId, baseRunId }) => navigate(`${location}?run=${baseRunId}&with=${runId}`) },
          )
        }
      >
        {t('case.replay')}
      </Button>
      {open.error !== null && <span role="alert"> {open.error.message}</span>}
    </p>
  );
}
