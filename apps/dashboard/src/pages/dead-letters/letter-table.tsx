import { Checkbox } from '@base-ui/react/checkbox';
import type { ShownDeadLetter } from '@casefile/contracts';
import { Check, Minus } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { visible } from '../../format/visible.js';
import { useKeys } from '../../shell/use-keys.js';
import { Button } from '../../ui/button.js';
import { JsonView } from '../../ui/json-view.js';
import { Age } from '../../ui/stamp.js';
import { LetterEditor } from './letter-editor.js';

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
