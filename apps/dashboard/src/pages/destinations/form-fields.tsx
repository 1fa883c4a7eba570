import { useId, type ReactNode } from 'react';
import { hasField, type DestinationField, type DestinationFields, type FieldProblems } from './form-entry.js';

/** What each part of the form gets. */
export interface FieldFormProps {
  fields: DestinationFields;
  problems: FieldProblems;
  change(some: Partial<DestinationFields>): void;
}

interface TextProps extends FieldFormProps {
  field: Exclude<DestinationField, 'type' | 'disposition' | 'allowPrivate'>;
  label: string;
  hint: string;
  /** More than one line. Default: one line. */
  rows?: number;
  isFirst?: boolean;
}

/** A text field, if the chosen type has it, with its hint and its problem. */
export function TextField({
  field,
  label,
  hint,
  rows,
  isFirst = false,
  fields,
  problems,
  change,
}: TextProps) {
  const help = useId();
  if (!hasField(fields.type, field)) return null;
  const problem = problems[field];
  const shared = {
    className: 'field',
    value: fields[field],
    'aria-invalid': problem !== undefined,
    'aria-describedby': help,
  };
  return (
    <Labelled label={label}>
      {(id) => (
        <>
          {rows === undefined ? (
            <input
              id={id}
              {...shared}
              autoFocus={isFirst}
              autoComplete="off"
              spellCheck={false}
              onChange={({ target }) => change({ [field]: target.value })}
            />
          ) : (
            <textarea
              id={id}
              {...shared}
              rows={rows}
              spellCheck={false}
              onChange={({ target }) => change({ [field]: target.value })}
            />
          )}
          <span id={help}>
            {problem !== undefined && <span className="field-problem">{problem} </span>}
            <span className="quiet">{hint}</span>
          </span>
        </>
      )}
    </Labelled>
  );
}

/** A field with its label above it. */
export function Labelled({ label, children }: { label: string; children(id: string): ReactNode }) {
  const id = useId();
  return (
    <div className="destination-field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  );
}
