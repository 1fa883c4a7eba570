import { useId, type ReactNode } from 'react';
import { hasField, type DestinationField, type DestinationFields, type FieldProblems } from './form-entry.js';

/** What each part of the form gets. */
export interface FieldFormProps {
  fields: DestinationFields;
  problems: FieldProblems;
  change(some: Partial<DestinationFields>): void;
}

/** Fields of which any number of values can be chosen. */
type ListField = 'events' | 'disposition' | 'conditionSeverity' | 'playbook';

interface TextProps extends FieldFormProps {
  field: Exclude<DestinationField, 'type' | 'allowPrivate' | 'acknowledgeLink' | ListField>;
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

interface ChoicesProps extends FieldFormProps {
  field: ListField;
  label: string;
  /** Values with their words, in the order of the form. */
  choices: readonly (readonly [value: string, words: string])[];
}

/** A check box for each value of a field. */
export function Choices({ field, label, choices, fields, problems, change }: ChoicesProps) {
  const values = fields[field];
  const toggle = (one: string, isOn: boolean): void =>
    change({
      [field]: choices.map(([value]) => value).filter((it) => (it === one ? isOn : values.includes(it))),
    });
  return (
    <>
      <div className="destination-acts" role="group" aria-label={label}>
        {choices.map(([value, words]) => (
          <label key={value} className="destination-check">
            <input
              type="checkbox"
              checked={values.includes(value)}
              onChange={({ target }) => toggle(value, target.checked)}
            />{' '}
            {words}
          </label>
        ))}
      </div>
      {problems[field] !== undefined && <p className="field-problem">{problems[field]}</p>}
    </>
  );
}
