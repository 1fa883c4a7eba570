import type { Json, ShownDeadLetter } from '@casefile/contracts';
import { useState, type FormEvent } from 'react';
import { useLetter, useRedriveEdited } from '../../api/dead-letters.js';
import { ApiProblem } from '../../api/request.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { Button } from '../../ui/button.js';
import { Failed, errorMessage, Skeleton } from '../../ui/states.js';

interface EditorProps {
  id: string;
  close(): void;
}

/** Edits an alert that was not accepted and sends it through intake again. The original stays on the record. */
export function LetterEditor({ id, close }: EditorProps) {
  const { data, error, refetch } = useLetter(id);
  if (data !== undefined) return <Editor letter={data} close={close} />;
  if (error === null) return <Skeleton lines={4} label="The alert is loading" />;
  return <Failed what="The alert could not be read" error={error} retry={() => void refetch()} />;
}

function Editor({ letter, close }: { letter: ShownDeadLetter; close(): void }) {
  const [text, setText] = useState(() => JSON.stringify(letter.payload, null, 2));
  const say = useToast();
  const redrive = useRedriveEdited(letter.id);
  const read = alertIn(text);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if ('problem' in read) return;
    // The list may be read again before the answer comes, without this letter. A failure is shown below.
    const accepted = (): void => {
      say({ title: 'The edited alert was accepted' });
      close();
    };
    void redrive.mutateAsync(read.alert).then(accepted, () => undefined);
  };
  return (
    <form className="letter-editor" onSubmit={submit}>
      <label>
        The alert (JSON)
        <textarea
          className="field mono"
          rows={Math.min(24, Math.max(8, text.split('\n').length))}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {'problem' in read && <p role="alert">{read.problem}</p>}
      {redrive.error !== null && <Problems error={redrive.error} />}
      <div className="letter-editor-acts">
        <Button
          kind="primary"
          small
          type="submit"
          disabled={'problem' in read || redrive.isPending}
          aria-label="Redrive the edited alert"
        >
          Redrive
        </Button>
        <Button small onClick={close}>
          Cancel
        </Button>
        <span className="quiet">The original stays on the record.</span>
      </div>
    </form>
  );
}

/** Problems of the edited alert, by field. */
function Problems({ error }: { error: Error }) {
  const fields = error instanceof ApiProblem ? error.errors : [];
  if (fields.length === 0) return <p role="alert">{errorMessage(error)}</p>;
  return (
    <div role="alert" aria-label="What is wrong with the alert">
      <ul>
        {fields.map(({ path, message }) => (
          <li key={`${path} ${message}`}>
            {path !== '' && <code>{visible(path)}</code>} {visible(message)}
          </li>
        ))}
      </ul>
    </div>
  );
}

type ParsedAlert = { alert: Record<string, Json> } | { problem: string };

function alertIn(text: string): ParsedAlert {
  try {
    const alert = JSON.parse(text) as Json;
    if (typeof alert === 'object' && alert !== null && !Array.isArray(alert)) return { alert };
    return { problem: 'An alert is a JSON object: { ... }' };
  } catch (thrown) {
    return { problem: `This is not JSON yet: ${thrown instanceof Error ? thrown.message : ''}` };
  }
}
