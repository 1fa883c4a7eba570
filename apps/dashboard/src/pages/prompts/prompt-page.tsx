import type { ShownPrompt, ShownPromptVersion, PromptName } from '@casefile/contracts';
import { useEffect, useId, useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { usePrompt, usePromptDiff, usePromptText, useMoveVersion } from '../../api/prompts.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { Empty, Failed, Skeleton, errorMessage } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';
import { Evolutions } from './evolutions.js';
import { PromptEditor, PromptLines, AddedSentences } from './prompt-text.js';
import './prompts.css';
import { useToast } from '../../shell/toasts.js';
import { Button } from '../../ui/button.js';
import { trialHref } from '../trials/trial.js';

const TONES = { candidate: 'amber', shadow: 'violet', live: 'green', retired: 'neutral' } as const;

/** Page of a prompt: its versions, one text compared with the live one, an editor, and the history. */
export default function PromptPage(of: PromptName) {
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
  of: PromptName;
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

function Text({ of, version }: { of: PromptName; version: number }) {
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

function Difference({ of, from, to }: { of: PromptName; from: number; to: number }) {
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

/** Makes a version live or retires a candidate. Each move needs a reason. Shows what the version adds to the live one. */
function VersionMoves({
  of,
  version: { version, state },
  live,
}: {
  of: PromptName;
  version: ShownPromptVersion;
  /** The live version. undefined: there is none. */
  live: number | undefined;
}) {
  const [reason, setReason] = useState('');
  const toast = useToast();
  const move = useMoveVersion(of);
  const field = useId();
  if (state === 'live') return null;
  const moveTo = (to: 'live' | 'retired') =>
    move.mutate(
      { version, state: to, reason },
      {
        onSuccess: () => {
          setReason((now) => (now === reason ? '' : now));
          toast({ title: `Version ${version} is ${to}` });
        },
        onError: (error) =>
          toast({ title: `Version ${version} was not moved`, text: errorMessage(error), isError: true }),
      },
    );
  const disabled = move.isPending || reason.trim() === '';
  return (
    <form
      className="prompt-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!disabled) moveTo('live');
      }}
    >
      {live !== undefined && <AddedSentences of={of} from={live} to={version} />}
      <Link href={trialHref({ kind: of.playbook, change: { prompts: { [of.name]: version } } }, 'past')}>
        Try version {version} on past cases
      </Link>
      <label htmlFor={field}>Reason</label>
      <input
        id={field}
        className="field"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      <Button type="submit" kind="primary" disabled={disabled}>
        Make version {version} live
      </Button>
      {state === 'candidate' && (
        <Button disabled={disabled} onClick={() => moveTo('retired')}>
          Retire version {version}
        </Button>
      )}
    </form>
  );
}
