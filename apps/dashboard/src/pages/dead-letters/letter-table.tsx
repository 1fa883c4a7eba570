import { Checkbox } from '@base-ui/react/checkbox';
import type { Json, ShownDeadLetter } from '@casefile/contracts';
import { Check, Minus } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Link } from 'wouter';
import { useLetter, useRedriveEdited } from '../../api/dead-letters.js';
import { ApiProblem } from '../../api/request.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { useKeys } from '../../shell/use-keys.js';
import { Button } from '../../ui/button.js';
import { JsonView } from '../../ui/json-view.js';
import { Age } from '../../ui/stamp.js';
import { Failed, errorMessage, Skeleton } from '../../ui/states.js';

interface LetterTableProps {
  letters: ShownDeadLetter[];
  chosen: ReadonlySet<string>;
  choose(chosen: ReadonlySet<string>): void;
}

/** Dead letters with check boxes for one or all. j and k move between rows. The space bar selects. */
export function LetterTable({ letters, chosen, choose }: LetterTableProps) {
  const toggle = (id: string): void => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    choose(next);
  };
  const isAll = letters.every(({ id }) => chosen.has(id));
  useKeys({ j: () => walk(1), k: () => walk(-1) });
  return (
    <div className="panel">
      <div className="letter-head">
        <Box
          label="Select all"
          checked={isAll}
          some={!isAll && chosen.size > 0}
          change={() => choose(isAll ? new Set() : new Set(letters.map(({ id }) => id)))}
        />
        <span>Reason</span>
        <span>Dead letter</span>
        <span className="letter-age">Age</span>
      </div>
      <ul>
        {letters.map((letter) => (
          <Letter
            key={letter.id}
            letter={letter}
            isChosen={chosen.has(letter.id)}
            toggle={() => toggle(letter.id)}
          />
        ))}
      </ul>
    </div>
  );
}

function Letter({
  letter,
  isChosen,
  toggle,
}: {
  letter: ShownDeadLetter;
  isChosen: boolean;
  toggle(): void;
}) {
  const { id, kind, title, reasonCode, message, caseId, payload, at, source } = letter;
  const [edits, setEdits] = useState(false);
  return (
    <li className={isChosen ? 'letter letter-chosen' : 'letter'}>
      <Box label={`Select ${id}`} checked={isChosen} change={toggle} />
      <div>
        <h2 className="letter-title" title={reasonCode}>
          {visible(title)}
        </h2>
        <p className="letter-message">{visible(message)}</p>
      </div>
      <div className="letter-what">
        {caseId === null ? (
          <span className="mono cut">{id}</span>
        ) : (
          <Link href={`/cases/${caseId}`} className="mono cut">
            {caseId}
          </Link>
        )}
        {payload !== null && (
          <details className="more">
            <summary>Raw payload</summary>
            <JsonView value={payload} label="the raw alert" />
          </details>
        )}
        {source != null && <span className="quiet">from {visible(source)}</span>}
        {kind === 'alert' && !edits && (
          <span>
            <Button small onClick={() => setEdits(true)}>
              Edit and redrive
            </Button>
          </span>
        )}
      </div>
      <span className="letter-age quiet">
        <Age at={at} />
      </span>
      {edits && <LetterEditor id={id} close={() => setEdits(false)} />}
    </li>
  );
}

interface BoxProps {
  label: string;
  checked: boolean;
  some?: boolean;
  change(): void;
}

function Box({ label, checked, some = false, change }: BoxProps) {
  return (
    <Checkbox.Root
      className="box"
      checked={checked}
      indeterminate={some}
      onCheckedChange={change}
      aria-label={label}
    >
      <Checkbox.Indicator className="box-mark">
        {some ? (
          <Minus aria-hidden="true" size={12} />
        ) : (
          <Check aria-hidden="true" size={12} strokeWidth={3} />
        )}
      </Checkbox.Indicator>
    </Checkbox.Root>
  );
}

function walk(by: number): void {
  const boxes = [...document.querySelectorAll<HTMLElement>('.letter [role="checkbox"]')];
  const at = boxes.findIndex((box) => box === document.activeElement);
  boxes[at < 0 ? 0 : Math.min(Math.max(at + by, 0), boxes.length - 1)]?.focus();
}

interface EditorProps {
  id: string;
  close(): void;
}

/** Edits an alert that was not accepted and sends it through intake again. The original stays on the record. */
function LetterEditor({ id, close }: EditorProps) {
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
