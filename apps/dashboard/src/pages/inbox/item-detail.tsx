import { rich, t } from '../../strings/text.js';
import type { ShownDeadLetter } from '@casefile/contracts';
import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useBatch } from '../../api/batches.js';
import { useLetter, type LetterAction } from '../../api/dead-letters.js';
import { useCase } from '../../api/queries.js';
import { useTools } from '../../api/tools.js';
import { visible } from '../../format/visible.js';
import { useKeys } from '../../shell/use-keys.js';
import { Answer } from '../../ui/answer.js';
import { Button } from '../../ui/button.js';
import { JsonView } from '../../ui/json-view.js';
import { Age, Stamp } from '../../ui/stamp.js';
import { BatchActs, BatchFacts } from '../batches/batch-acts.js';
import { comparedIn } from '../batches/batch-words.js';
import { QuestionCard } from '../case/asked-card.js';
import { AskFirst } from '../dead-letters/ask-first.js';
import { LetterEditor } from '../dead-letters/letter-editor.js';
import { EngagementDetail } from '../engagements/engagements.js';
import { ToolLine } from '../tools/tools-page.js';
import '../case/case.css';
import '../dead-letters/dead-letters.css';
import '../tools/tools.css';
import type { DeskRow } from './desk-row.js';
import { PatternDetail } from './pattern-detail.js';

interface ItemProps {
  row: DeskRow;
  /** Called when the thing no longer waits. */
  settled(): void;
}

type Detail = (props: ItemProps) => ReactNode;

const DETAILS: Record<Exclude<DeskRow['type'], 'review'>, Detail> = {
  question: QuestionDetail,
  letter: LetterDetail,
  tool: ToolDetail,
  pattern: PatternDetail,
  batch: BatchDetail,
  engagement: ({ row }) => <EngagementDetail id={row.id} />,
};

/** The chosen thing of the inbox, unless it is a verdict, with its acts. */
export function ItemDetail({ row, settled }: ItemProps) {
  if (row.type === 'review') return null;
  const Shown = DETAILS[row.type];
  return (
    <div className="desk-case">
      <header className="desk-head">
        <h2 dir="auto">{row.words}</h2>
        <p className="quiet">
          {rich('inbox.waitsSince', {
            kind: row.kind !== null && `${row.kind} · `,
            stamp: <Stamp at={row.at} />,
            age: <Age at={row.at} />,
          })}
        </p>
      </header>
      <section className="card item-detail" aria-label={t('inbox.yourAnswer')}>
        <Shown row={row} settled={settled} />
      </section>
    </div>
  );
}

function QuestionDetail({ row }: ItemProps) {
  return (
    <Answer of={useCase(row.id)} what={t('inbox.theCase')}>
      {(shown) => (
        <>
          {shown.runs.map((run) => (
            <QuestionCard key={run.id} run={run} />
          ))}
          <Link href={`/cases/${row.id}`}>{t('inbox.wholeCase')}</Link>
        </>
      )}
    </Answer>
  );
}

function LetterDetail({ row, settled }: ItemProps) {
  return (
    <Answer of={useLetter(row.id)} what={t('inbox.theDeadLetter')}>
      {(letter) => <Letter letter={letter} settled={settled} />}
    </Answer>
  );
}

function Letter({ letter, settled }: { letter: ShownDeadLetter; settled(): void }) {
  const { id, kind, message, caseId, payload, source } = letter;
  const [pending, setPending] = useState<LetterAction | null>(null);
  const [edits, setEdits] = useState(false);
  const redrive = (): void => setPending({ kind: 'redrive', request: { ids: [id] } });
  useKeys({ a: ({ repeat }) => (repeat ? undefined : redrive()) });
  return (
    <>
      <p>{visible(message)}</p>
      <p className="quiet">
        {source != null && t('inbox.from', { source: visible(source) })}
        {caseId === null ? (
          <span className="mono">{id}</span>
        ) : (
          <Link href={`/cases/${caseId}`}>{t('inbox.wholeCase')}</Link>
        )}
      </p>
      <div className="item-acts">
        <Button kind="primary" onClick={redrive}>
          {rich('inbox.redrive', { kbd: <kbd>a</kbd> })}
        </Button>
        <Button onClick={() => setPending({ kind: 'drop', ids: [id] })}>{t('inbox.drop')}</Button>
        {kind === 'alert' && !edits && (
          <Button onClick={() => setEdits(true)}>{t('inbox.editAndRedrive')}</Button>
        )}
      </div>
      {edits && <LetterEditor id={id} close={() => setEdits(false)} />}
      {payload !== null && !edits && (
        <details className="more">
          <summary>{t('inbox.rawPayload')}</summary>
          <JsonView value={payload} label={t('inbox.theRawAlert')} />
        </details>
      )}
      <AskFirst
        action={pending}
        letters={[letter]}
        close={() => setPending(null)}
        done={() => {
          setPending(null);
          settled();
        }}
      />
    </>
  );
}

function ToolDetail({ row }: ItemProps) {
  return (
    <Answer of={useTools()} what={t('inbox.theTools')}>
      {({ servers }) => (
        <>
          {servers.flatMap(({ server, tools }) =>
            tools
              .filter(({ name }) => name === row.id)
              .map((tool) => <ToolLine key={tool.name} server={server} tool={tool} isOpen />),
          )}
          <Link href="/operate/tools">{t('inbox.allTools')}</Link>
        </>
      )}
    </Answer>
  );
}

function BatchDetail({ row }: ItemProps) {
  return (
    <Answer of={useBatch(row.id)} what={t('inbox.theBatch')}>
      {(batch) => (
        <>
          <p>
            <BatchFacts batch={batch} />
          </p>
          {comparedIn(batch).map((line) => (
            <p key={line}>{line}.</p>
          ))}
          <p>
            {rich('inbox.toLeaveSomeOfThem', {
              link: <Link href={`/batches/${row.id}`}>{t('inbox.theCasesOfThisBatch')}</Link>,
            })}
          </p>
          <BatchActs batch={batch} leftOut={new Set()} />
        </>
      )}
    </Answer>
  );
}
