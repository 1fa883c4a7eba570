import type { ComparedLine, PromptName, RenderedPrompt, ShownPrompt } from '@casefile/contracts';
import { useId, useState, useEffect } from 'react';
import { useLocation, Link } from 'wouter';
import {
  useAddVersion,
  usePromptText,
  useRenderedPrompt,
  usePrompt,
  usePromptDiff,
} from '../../api/prompts.js';
import { ApiProblem } from '../../api/request.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { Button } from '../../ui/button.js';
import { errorMessage, Failed, Skeleton } from '../../ui/states.js';
import { countOf } from '../../format/numbers.js';
import { useTyped } from '../../ui/use-typed.js';

/** Editor that adds a changed text as a candidate. A refused text stays in the editor with its problems. */
export function PromptEditor({ prompt, parent }: { prompt: ShownPrompt; parent: number }) {
  const { playbook, name, security, sections } = prompt;
  const { data } = usePromptText(prompt, parent);
  const [draft, setDraft] = useState<string | null>(null);
  const [message, setMessage] = useState('');
  const [isPreviewed, setPreviewed] = useState(false);
  const [, navigate] = useLocation();
  const toast = useToast();
  const add = useAddVersion({ playbook, name });
  const field = useId();
  const text = draft ?? data?.text ?? '';
  const isSame = draft === null || draft === data?.text;
  const submit = () =>
    add.mutate(
      { text, message, parent },
      {
        onSuccess: ({ version }) => {
          toast({ title: `Version ${version} was added` });
          navigate(`/prompts/${playbook}/${name}?version=${version}`);
        },
      },
    );
  return (
    <details className="panel prompt-part">
      <summary>Write a new version from version {parent}</summary>
      <form
        className="prompt-editor"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <label htmlFor={`${field}-text`}>Text</label>
        <textarea
          id={`${field}-text`}
          className="field mono"
          rows={18}
          spellCheck={false}
          value={text}
          onChange={(event) => setDraft(event.target.value)}
        />
        <p className="quiet">
          Sections and placeholders that it must have:{' '}
          {sections
            .map((one) => `${one.name} (${one.placeholders.map((it) => `{{${it}}}`).join(', ') || 'none'})`)
            .join('; ')}
        </p>
        {security.length > 0 && (
          <>
            <p className="quiet">Sentences that it must keep, unchanged:</p>
            <ul className="quiet">
              {security.map(({ section, sentence }) => (
                <li key={`${section} ${sentence}`}>{visible(sentence)}</li>
              ))}
            </ul>
          </>
        )}
        <Button aria-expanded={isPreviewed} onClick={() => setPreviewed(!isPreviewed)}>
          {isPreviewed ? 'Hide the recorded case' : 'Show on a recorded case'}
        </Button>
        {isPreviewed && text !== '' && <PromptPreview of={{ playbook, name }} text={text} />}
        <label htmlFor={`${field}-why`}>Why it was changed</label>
        <input
          id={`${field}-why`}
          className="field"
          value={message}
          onChange={(event) => setMessage(event.target.value)}
        />
        {add.error !== null && <Problems error={add.error} />}
        <Button type="submit" kind="primary" disabled={add.isPending || isSame || message.trim() === ''}>
          Add as a candidate
        </Button>
      </form>
    </details>
  );
}

function Problems({ error }: { error: Error }) {
  const problems = error instanceof ApiProblem && error.errors.length > 0 ? error.errors : null;
  return (
    <div role="alert" className="prompt-unfit">
      {problems === null ? errorMessage(error) : 'The text was not added:'}
      {problems !== null && (
        <ul>
          {problems.map(({ message }) => (
            <li key={message}>{visible(message)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Time after the last key until a text is rendered, in milliseconds. */
const TYPING_MS = 400;

/** Shows the request that a text makes for a recorded case, and the required parts that the text lacks. */
export function PromptPreview({ of, text }: { of: PromptName; text: string }) {
  const [caseId, setCaseId] = useState('');
  const [typed, setTyped] = useTyped(caseId, setCaseId);
  const { data, error, refetch } = useRenderedPrompt(of, useSettled(text), caseId.trim());
  const field = useId();
  return (
    <section className="prompt-preview" aria-label="The text on a recorded case">
      <label htmlFor={field}>Id of the case</label>
      <input
        id={field}
        className="field"
        placeholder="the newest case that used this prompt"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        // Enter would submit the form and add the text as a version, so it is ignored.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
      />
      {error !== null ? (
        <Failed what="The text could not be rendered" error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={6} label="The text is being rendered" />
      ) : (
        <Rendered rendered={data} />
      )}
    </section>
  );
}

function Rendered({ rendered }: { rendered: RenderedPrompt }) {
  const { problems, caseId, promptId, messages, questions, stage, round } = rendered;
  return (
    <>
      {problems.length > 0 && (
        <div role="alert" className="prompt-unfit">
          This text cannot be added:
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{visible(problem)}</li>
            ))}
          </ul>
        </div>
      )}
      <p className="quiet">
        The first of {countOf(questions, 'question')} of <Link href={`/cases/${caseId}`}>case {caseId}</Link>{' '}
        with this prompt ({stage}, round {round}), which was asked with{' '}
        <span className="mono">{promptId}</span>. Changed lines are marked.
      </p>
      {messages.map(({ role, isRendered, lines }, i) => (
        <div key={i}>
          <h3>
            {role}
            {!isRendered && (
              <span className="quiet"> · as it was sent, because this prompt is not part of it</span>
            )}
          </h3>
          <PromptLines lines={lines} label={`Message ${i + 1}: ${role}`} />
        </div>
      ))}
    </>
  );
}

/** Returns the text after the user stopped typing. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

/** Sentences that a version adds to the live one, which a person reads before the version becomes live. */
export function AddedSentences({ of, from, to }: { of: PromptName; from: number; to: number }) {
  const { data, error, refetch } = usePromptDiff(of, from, to);
  const heading = useId();
  if (data === undefined)
    return error === null ? (
      <Skeleton lines={2} label="The added sentences are loading" />
    ) : (
      <Failed what="The added sentences could not be read" error={error} retry={() => void refetch()} />
    );
  const { added } = data;
  if (added.length === 0) return <p className="quiet">Version {to} adds no sentence to the live version.</p>;
  return (
    <>
      <h3 id={heading}>Sentences that version {to} adds to the live version</h3>
      <ul aria-labelledby={heading}>
        {added.map((sentence) => (
          <li key={sentence}>{visible(sentence)}</li>
        ))}
      </ul>
    </>
  );
}

/** What a version of a prompt adds to the live one, with the way to its page, for the person who promotes an arm that uses it. */
export function AddedByVersion({ of, version }: { of: PromptName; version: number }) {
  const live = usePrompt(of).data?.versions.find(({ state }) => state === 'live');
  if (live === undefined || live.version === version) return null;
  const page = `/prompts/${encodeURIComponent(of.playbook)}/${encodeURIComponent(of.name)}?version=${version}`;
  return (
    <div>
      <AddedSentences of={of} from={live.version} to={version} />
      <Link href={page}>
        {visible(of.name)}, version {version}: text and origin
      </Link>
    </div>
  );
}

const SIGNS = { same: ' ', added: '+', removed: '-' } as const;

/** Lines of two texts, with a sign before each line that only one of the texts has. */
export function PromptLines({ lines, label }: { lines: readonly ComparedLine[]; label: string }) {
  return (
    <pre className="prompt-text" tabIndex={0} aria-label={label}>
      {lines.map(({ change, text }, i) => (
        <span key={i} className={`prompt-line prompt-${change}`}>
          {SIGNS[change]} {visible(text)}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
