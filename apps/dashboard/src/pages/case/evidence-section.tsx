import { counted, rich, t } from '../../strings/text.js';
import type { Evidence, EvidenceItem, Json, ShownRun } from '@casefile/contracts';
import { CircleHelp } from 'lucide-react';
import { Link } from 'wouter';
import { durationText } from '../../format/time.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { Anchored, AnchorLink } from '../../ui/anchored.js';
import { cx } from '../../ui/cx.js';
import { GlossaryWord } from '../../ui/glossary-word.js';
import { JsonView } from '../../ui/json-view.js';
import { Reason } from '../../ui/reason.js';
import { Age, Stamp } from '../../ui/stamp.js';
import { NeedsReviewer, useIsWithheld } from '../../ui/withheld.js';
import { evidencePlace, newEvidence } from './evidence-places.js';
import { pastCasesIn } from './past-cases.js';
import type { TimelineSection } from './timeline.js';

/** The result of one stage `collect`: findings, and look-ups without a result. */
export function EvidenceSection({ run, section }: { run: ShownRun; section: TimelineSection }) {
  const { unit, round } = section;
  const items = newEvidence(run, unit, round);
  const results = items.filter(({ success }) => success);
  const gaps = items.filter(({ success }) => !success);
  const cited = new Set(run.verdict?.citations);
  if (items.length === 0) return <p className="quiet">{whyNoEvidence(section)}</p>;
  return (
    <>
      <div className="evidence-grid">
        {results.map((item) => (
          <EvidenceCard key={item.id} item={item} unit={unit} isCited={cited.has(item.id)} />
        ))}
      </div>
      <Gaps gaps={gaps.map((item) => ({ unit, item }))} />
    </>
  );
}

/** Look-ups without a result; nothing if there are none. */
export function Gaps({ gaps }: { gaps: readonly { unit: string; item: EvidenceItem }[] }) {
  if (gaps.length === 0) return null;
  return (
    <div className="gaps">
      <h3>
        {rich('case.noAnswer', {
          glossaryword: <GlossaryWord word="gap">{counted('count.gap', gaps.length)}</GlossaryWord>,
        })}
      </h3>
      <ul>
        {gaps.map(({ unit, item }) => (
          <Gap key={`${unit} ${item.id}`} item={item} unit={unit} />
        ))}
      </ul>
    </div>
  );
}

function whyNoEvidence({ artifact }: TimelineSection): string {
  const { items = [], leftOut = [] } = (artifact?.body ?? {}) as Partial<Evidence>;
  return items.length === 0 && leftOut.length > 0
    ? t('case.ofEvidenceCameInBut', { leftOut: counted('count.piece', leftOut.length) })
    : t('case.noToolWasCalledAnd');
}

/** A finding with its result. */
export function EvidenceCard({
  item,
  unit,
  isCited,
}: {
  item: EvidenceItem;
  unit: string;
  isCited: boolean;
}) {
  const place = evidencePlace(unit, item.id);
  const isWithheld = useIsWithheld('personal');
  return (
    <Anchored
      id={place}
      name={t('case.evidence2', { id: item.id })}
      className={cx('card', 'evidence', isCited && 'evidence-cited')}
    >
      <header className="card-head">
        <span className="evidence-id num">{item.id}</span>
        <h3 className="mono cut">{item.toolName}</h3>
        {unit !== '' && <Badge>{visible(unit)}</Badge>}
        {isCited && <Badge tone="accent">{t('case.cited')}</Badge>}
        {item.given === true && <Badge tone="amber">{t('case.suppliedByTheSender')}</Badge>}
        <AnchorLink id={place} name={t('case.evidence3', { id: item.id })} />
      </header>
      {item.entityValue !== '' && (
        <p className="evidence-entity">
          <span className="quiet">{item.entityType}</span> <span dir="auto">{visible(item.entityValue)}</span>
        </p>
      )}
      <PastCases item={item} />
      {isWithheld && item.result === null ? (
        <NeedsReviewer what={t('case.theAnswer')} />
      ) : (
        <Result result={item.result} id={item.id} />
      )}
      <footer className="evidence-foot quiet">
        <span className="cut" title={item.source}>
          {visible(item.source)}
        </span>
        <span className="nowrap">
          {rich('case.old', { age: <Age at={item.at} />, durationMs: durationText(item.durationMs) })}
        </span>
      </footer>
    </Anchored>
  );
}

/** Links to the past cases in a result; nothing for other results. */
function PastCases({ item }: { item: EvidenceItem }) {
  const cases = pastCasesIn(item);
  if (cases.length === 0) return null;
  return (
    <ul className="past-cases">
      {cases.map(({ caseId, title, agreed, confirmedAt, outcome }) => (
        <li key={caseId}>
          <Link href={`/cases/${caseId}`}>
            <span dir="auto">{visible(title)}</span>
          </Link>{' '}
          <span className="quiet">
            {rich(agreed ? 'case.aPersonAgreedAgo' : 'case.aPersonCorrectedAgo', {
              age: <Age at={confirmedAt} />,
              outcome: visible(Object.values(outcome).map(factText).join(', ')),
            })}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Most facts shown without opening the full result. Nested facts are only in the full result. */
const SHOWN_FACTS = 6;

function Result({ result, id }: { result: Json; id: string }) {
  if (typeof result !== 'object' || result === null || Array.isArray(result)) {
    return <JsonView value={result} label={t('case.theAnswer2', { id })} />;
  }
  const text = onlyText(result);
  if (text !== null)
    return (
      // A long text scrolls within the card, also by keyboard.
      <div
        className="evidence-text"
        role="group"
        aria-label={t('case.theAnswer3', { id })}
        tabIndex={0}
        dir="auto"
      >
        {visible(text)}
      </div>
    );
  const facts = Object.entries(result).filter(([, value]) => value !== null && !isNested(value));
  const isAll = facts.length === Object.keys(result).length && facts.length <= SHOWN_FACTS;
  return (
    <>
      <dl className="result">
        {facts.slice(0, SHOWN_FACTS).map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{isTime(value) ? <Stamp at={value} /> : factText(value)}</dd>
          </div>
        ))}
      </dl>
      {!isAll && (
        <details className="more">
          <summary>{t('case.wholeAnswer')}</summary>
          <JsonView value={result} label={t('case.theAnswer2', { id })} />
        </details>
      )}
    </>
  );
}

/** The text of an answer that consists of one text; null: another answer. */
function onlyText(result: Record<string, Json>): string | null {
  const [value, ...others] = Object.values(result);
  return typeof value === 'string' && others.length === 0 && Object.hasOwn(result, 'text') ? value : null;
}

function isNested(value: Json): boolean {
  return typeof value === 'object' || (typeof value === 'string' && value.length > 300);
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

function isTime(value: Json): value is string {
  return typeof value === 'string' && TIME.test(value);
}

function factText(value: Json): string {
  if (value === true) return t('ui.yes');
  if (value === false) return t('ui.no');
  return visible(String(value));
}

/** A look-up without a result, and the reason. */
function Gap({ item, unit }: { item: EvidenceItem; unit: string }) {
  const place = evidencePlace(unit, item.id);
  return (
    <li>
      <Anchored id={place} name={t('case.gap', { id: item.id })} className="gap">
        <CircleHelp aria-hidden="true" size={14} />
        <span className="evidence-id num">{item.id}</span>
        <span className="mono">{item.toolName}</span>
        <span className="gap-entity" dir="auto">
          {visible(item.entityValue)}
        </span>
        <span className="gap-why">
          {item.reason === undefined ? t('case.itFailed') : <Reason code={item.reason} />}
          {item.message === undefined ? '' : `: ${visible(item.message)}`}
        </span>
      </Anchored>
    </li>
  );
}
