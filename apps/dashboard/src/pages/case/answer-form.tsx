import type { AnswerField, JsonObject } from '@casefile/contracts';
import { useState, type FormEvent } from 'react';
import { inWords } from '../../format/words.js';
import { Button } from '../../ui/button.js';

interface FormProps {
  fields: readonly AnswerField[];
  isSending: boolean;
  send(outcome: JsonObject): void;
}

/** Takes the answer that a verdict should have given, in the fields and values of its kind. */
export function AnswerForm({ fields, isSending, send }: FormProps) {
  const [outcome, setOutcome] = useState<JsonObject>({});
  const isEmpty = Object.keys(outcome).length === 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isEmpty) send(outcome);
  };
  return (
    <form className="answer-form" onSubmit={submit}>
      {fields.map(({ field, values }) => (
        <fieldset key={field}>
          <legend>{fieldInWords(field)}</legend>
          {values.map((value) => (
            <label key={String(value)}>
              <input
                type="radio"
                className="radio"
                name={field}
                checked={outcome[field] === value}
                onChange={() => setOutcome((before) => ({ ...before, [field]: value }))}
              />
              {answerInWords(value)}
            </label>
          ))}
        </fieldset>
      ))}
      <Button kind="primary" small type="submit" disabled={isEmpty || isSending}>
        Save the answer
      </Button>
    </form>
  );
}

/** `riskLevel` -> `Risk level`. */
export function fieldInWords(field: string): string {
  const words = field.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `NOT_MET` -> `not met`, true -> `yes`. */
export function answerInWords(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return inWords(String(value)).toLowerCase();
}
