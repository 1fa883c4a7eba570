import type { ShownPrompt } from '@casefile/contracts';
import { useId, useState } from 'react';
import { useLocation } from 'wouter';
import { useAddVersion, usePromptText } from '../../api/prompts.js';
import { ApiProblem } from '../../api/request.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { Button } from '../../ui/button.js';
import { errorMessage } from '../../ui/states.js';
import { PromptPreview } from './prompt-preview.js';

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
