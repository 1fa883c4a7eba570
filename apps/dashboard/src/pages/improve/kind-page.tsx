import { ROW } from '../../ui/walk-rows.js';
import type { PlaybookList } from '@casefile/contracts';
import { useEffect } from 'react';
import { Link } from 'wouter';
import { usePrompts } from '../../api/prompts.js';
import { DEFAULT_DAYS, useQuality } from '../../api/quality.js';
import { usePlaybooks } from '../../api/queries.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Answer } from '../../ui/answer.js';
import { Badge } from '../../ui/badge.js';
import { Empty } from '../../ui/states.js';
import { QualityTable } from '../quality/quality-table.js';
import { ChangeForm } from '../trials/change-form.js';
import { TrialList } from '../trials/trial-list.js';
import '../../ui/page-part.css';
import '../prompts/prompts.css';
import '../quality/quality.css';

/** Page of one kind of case: its quality now, the versions of its prompts, and its trials. */
export default function KindPage({ kind: name }: { kind: string }) {
  useEffect(() => void (document.title = `${name} · Casefile`), [name]);
  return (
    <Answer of={usePlaybooks()} what="The kinds">
      {({ playbooks }) => {
        const kind = playbooks.find((one) => one.name === name);
        return kind === undefined ? <Empty page title="There is no such kind" /> : <Kind kind={kind} />;
      }}
    </Answer>
  );
}

function Kind({ kind }: { kind: PlaybookList['playbooks'][number] }) {
  const { name, title } = kind;
  return (
    <>
      <div className="page-head">
        <h1>{title}</h1>
      </div>
      <section className="page-part" aria-label="New trial">
        <h2>New trial</h2>
        <ChangeForm kind={kind} />
      </section>
      <section className="page-part" aria-label="Trials">
        <h2>Trials</h2>
        <TrialList kind={name} />
      </section>
      <section className="page-part" aria-label="Quality now">
        <h2>Quality of the last {DEFAULT_DAYS} days</h2>
        <QualityNow kind={name} />
      </section>
      <section className="page-part" aria-label="Prompts">
        <h2>Prompts</h2>
        <Prompts kind={name} />
      </section>
    </>
  );
}

function QualityNow({ kind }: { kind: string }) {
  return (
    <Answer of={useQuality({ playbook: kind })} what="The figures" lines={2}>
      {({ quality, from }) =>
        quality.length === 0 ? (
          <Empty title="No verdicts in this time" />
        ) : (
          <div className="panel quality-part">
            <QualityTable rows={quality} from={from} />
          </div>
        )
      }
    </Answer>
  );
}

function Prompts({ kind }: { kind: string }) {
  return (
    <Answer of={usePrompts()} what="The prompts" lines={3}>
      {({ prompts }) => {
        const own = prompts.filter(({ playbook }) => playbook === kind);
        if (own.length === 0)
          return <Empty title="No prompts">No service that calls models has started yet.</Empty>;
        return (
          <ul className="panel prompt-list">
            {own.map(({ playbook, name, live, versions, candidates }) => (
              <li key={name} {...ROW}>
                <Link href={`/prompts/${playbook}/${name}`}>{name}</Link>
                <span className="quiet">
                  {live === null ? 'no live version' : `version ${live.version} by ${visible(live.author)}`}
                  {versions > 1 && ` · one of ${versions} versions`}
                </span>
                {candidates > 0 && <Badge tone="amber">{countOf(candidates, 'candidate')}</Badge>}
              </li>
            ))}
          </ul>
        );
      }}
    </Answer>
  );
}
