import type { RenderedPrompt } from '@casefile/contracts';
import { useEffect, useId, useState } from 'react';
import { Link } from 'wouter';
import { useRenderedPrompt, type PromptAddress } from '../../api/prompts.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { useTyped } from '../../ui/use-typed.js';
import { PromptLines } from './prompt-lines.js';

/** Time after the last key until a text is rendered, in milliseconds. */
const TYPING_MS = 400;

/** Shows the request that a text makes for a recorded case, and the required parts that the text lacks. */
export function PromptPreview({ of, text }: { of: PromptAddress; text: string }) {
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
