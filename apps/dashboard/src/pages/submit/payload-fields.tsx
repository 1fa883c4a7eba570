import type { FieldProblem, FormField } from '@casefile/contracts';
import { fieldKey, type FieldTexts } from '@casefile/contracts/display';
import { useId } from 'react';

interface PayloadFieldsProps {
  fields: readonly FormField[];
  texts: FieldTexts;
  /** Whether the kind takes nothing but a payload, so that its required fields have to be filled in. */
  isOnlyPart: boolean;
  /** Problems of the fields, each with its path in the alert. */
  problems: readonly FieldProblem[];
  change(key: string, text: string): void;
}

/** The fields of a payload, as the schema of its kind describes them. */
export function PayloadFields({ fields, texts, isOnlyPart, problems, change }: PayloadFieldsProps) {
  return fields.map((field) => {
    const key = fieldKey(field);
    return (
      <PayloadField
        key={key}
        field={field}
        text={texts[key] ?? ''}
        isOnlyPart={isOnlyPart}
        problem={problems.find(({ path }) => isAt(path, `payload.${key}`))?.message ?? null}
        change={(text) => change(key, text)}
      />
    );
  });
}

function isAt(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);
}

interface PayloadFieldProps {
  field: FormField;
  text: string;
  isOnlyPart: boolean;
  problem: string | null;
  change(text: string): void;
}

function PayloadField({ field, text, isOnlyPart, problem, change }: PayloadFieldProps) {
  const id = useId();
  const { label, help, input, isRequired } = field;
  const hint = input === 'list' ? [help, 'One in each line.'].filter(Boolean).join(' ') : help;
  const described = [hint === '' ? '' : `${id}-help`, problem === null ? '' : `${id}-problem`].filter(
    Boolean,
  );
  const common = {
    id,
    'aria-describedby': described.length === 0 ? undefined : described.join(' '),
    'aria-invalid': problem === null ? undefined : true,
  };
  const notes = (
    <>
      {hint !== '' && (
        <span id={`${id}-help`} className="form-help">
          {hint}
        </span>
      )}
      {problem !== null && (
        <span id={`${id}-problem`} className="form-problem">
          {problem}
        </span>
      )}
    </>
  );
  if (input === 'switch')
    return (
      <div className="form-row">
        <label className="form-check">
          <input
            {...common}
            type="checkbox"
            checked={text === 'true'}
            onChange={({ target }) => change(target.checked ? 'true' : '')}
          />
          {label}
        </label>
        {notes}
      </div>
    );
  return (
    <div className="form-row">
      <label className="form-label" htmlFor={id}>
        {label}
        {isOnlyPart && !isRequired && <span className="form-optional"> optional</span>}
      </label>
      <Control
        field={field}
        text={text}
        isRequired={isOnlyPart && isRequired}
        change={change}
        common={common}
      />
      {notes}
    </div>
  );
}

interface ControlProps extends Pick<PayloadFieldProps, 'field' | 'text' | 'change'> {
  isRequired: boolean;
  common: object;
}

function Control({ field, text, isRequired, change, common }: ControlProps) {
  const { input, choices, min, max, isWhole, example } = field;
  const attributes = {
    ...common,
    className: input === 'json' ? 'field mono' : 'field',
    value: text,
    required: isRequired,
  };
  if (input === 'choice')
    return (
      <select {...attributes} onChange={({ target }) => change(target.value)}>
        <option value="">Choose</option>
        {choices.map((one) => (
          <option key={String(one)} value={String(one)}>
            {String(one)}
          </option>
        ))}
      </select>
    );
  if (input === 'lines' || input === 'list' || input === 'json')
    return (
      <textarea
        {...attributes}
        rows={input === 'lines' ? 4 : 3}
        dir="auto"
        onChange={({ target }) => change(target.value)}
      />
    );
  return (
    <input
      {...attributes}
      dir="auto"
      placeholder={example === null ? undefined : `Example: ${example}`}
      {...(input === 'number' && {
        type: 'number',
        step: isWhole ? 1 : 'any',
        min: min ?? undefined,
        max: max ?? undefined,
      })}
      onChange={({ target }) => change(target.value)}
    />
  );
}
