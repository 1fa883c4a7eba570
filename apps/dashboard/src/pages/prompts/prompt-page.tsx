import type { ShownPrompt, ShownPromptVersion } from '@casefile/contracts';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'wouter';
import { usePrompt, usePromptDiff, usePromptText, type PromptAddress } from '../../api/prompts.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';
import { Evolutions } from './evolutions.js';
import { PromptEditor } from './prompt-editor.js';
import { PromptLines } from './prompt-lines.js';
import { VersionMoves } from './version-moves.js';
import './prompts.css';

const TONES = { candidate: 'amber', shadow: 'violet', live: 'green', retired: 'neutral' } as const;

/** Page of a prompt: its versions, one text compared with the live one, an editor, and the history. */
export default function PromptPage(of: PromptAddress) {
  const { data, error, refetch } = usePrompt(of);
  useEffect(() => void (document.title = `${of.playbook}/${of.name} · Casefile`), [of.playbook, of.name]);
  if (data !== undefined) return <Prompt prompt={data} />;
  if (error !== null)
    return <Failed page what="The prompt could not be read" error={error} retry={() => void refetch()} />;
  return (
    <div className="panel">
      <Skeleton lines={10} label="The prompt is loading" />
    </div>
  );
}

function Prompt({ prompt }: { prompt: ShownPrompt }) {
  const [search] = useSearchParams();
  const { versions, playbook, name } = prompt;
  const live = versions.find(({ state }) => state === 'live');
  const requestedVersion = Number(search.get('version'));
  const shownVersion = versions.find(({ version }) => version === requestedVersion) ?? live ?? versions[0];
  if (shownVersion === undefined) return <Empty page title="This prompt has no version yet" />;
  const of = { playbook, name };
  return (
    <>
      <header className="prompt-head">
        <h1>
          {playbook}/{name}
        </h1>
      </header>
      <section className="panel prompt-part" aria-labelledby="versions">
        <h2 id="versions">Versions</h2>
        <ul className="prompt-versions">
          {versions.map((version) => (
            <Version key={version.version} of={of} version={version} isShown={version === shownVersion} />
          ))}
        </ul>
      </section>
      <section className="panel prompt-part" aria-labelledby="text">
        <h2 id="text">
          Version {shownVersion.version}
          {live !== undefined && live !== shownVersion && ` against live version ${live.version}`}
        </h2>
        {shownVersion.unfit !== null && (
          <p className="prompt-unfit">This release cannot use it: {visible(shownVersion.unfit)}</p>
        )}
        {live === undefined || live === shownVersion ? (
          <Text of={of} version={shownVersion.version} />
        ) : (
          <Difference of={of} from={live.version} to={shownVersion.version} />
        )}
        <VersionMoves key={shownVersion.version} of={of} version={shownVersion} live={live?.version} />
      </section>
      <PromptEditor key={`editor ${shownVersion.version}`} prompt={prompt} parent={shownVersion.version} />
      <Evolutions of={of} />
      <History prompt={prompt} />
    </>
  );
}

function Version({
  of,
  version: one,
  isShown,
}: {
  of: PromptAddress;
  version: ShownPromptVersion;
  isShown: boolean;
}) {
  const { version, state, author, message, createdAt, id } = one;
  return (
    <li>
      <Link
        href={`/prompts/${of.playbook}/${of.name}?version=${version}`}
        aria-current={isShown ? 'true' : undefined}
      >
        version {version}
      </Link>{' '}
      <Badge tone={TONES[state]}>{state}</Badge>{' '}
      <span className="quiet">
        {visible(author)} · <Stamp at={createdAt} /> · {visible(message)} · <span className="mono">{id}</span>
      </span>
    </li>
  );
}

function Text({ of, version }: { of: PromptAddress; version: number }) {
  const { data, error, refetch } = usePromptText(of, version);
  if (data !== undefined)
    return (
      <pre className="prompt-text" tabIndex={0} aria-label={`Text of version ${version}`}>
        {visible(data.text)}
      </pre>
    );
  if (error !== null)
    return <Failed what="The text could not be read" error={error} retry={() => void refetch()} />;
  return <Skeleton lines={8} label="The text is loading" />;
}

function Difference({ of, from, to }: { of: PromptAddress; from: number; to: number }) {
  const { data, error, refetch } = usePromptDiff(of, from, to);
  if (data !== undefined)
    return <PromptLines lines={data.lines} label={`Version ${to} against version ${from}`} />;
  if (error !== null)
    return <Failed what="The versions could not be compared" error={error} retry={() => void refetch()} />;
  return <Skeleton lines={8} label="The comparison is loading" />;
}

function History({ prompt: { history } }: { prompt: ShownPrompt }) {
  return (
    <section className="panel prompt-part" aria-labelledby="history">
      <h2 id="history">History</h2>
      {history.length === 0 && <p className="quiet">No person has changed this prompt.</p>}
      <ul>
        {history.map(({ actId, at, by, version, from, to, replaced, reason }) => (
          <li key={actId}>
            <Stamp at={at} /> {visible(by)}{' '}
            {from === null ? `added version ${version}` : `moved version ${version} from ${from} to ${to}`}
            {replaced !== null && `, which retired version ${replaced}`}: {visible(reason)}
          </li>
        ))}
      </ul>
    </section>
  );
}
