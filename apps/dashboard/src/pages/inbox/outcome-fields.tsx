import type { AnswerField, JsonObject } from '@casefile/contracts';
import { answerInWords, fieldInWords } from './act-in-words.js';

interface OutcomeFieldsProps {
  /** Unique on the page: names of the radio buttons begin with it. */
  name: string;
  fields: readonly AnswerField[];
  outcome: JsonObject;
  choose(field: string, value: AnswerField['values'][number]): void;
}

/** The outcomes of a kind: one group of radio buttons per deciding field. */
export function OutcomeFields({ name, fields, outcome, choose }: OutcomeFieldsProps) {
  return fields.map(({ field, values }) => (
    <fieldset key={field} className="desk-outcomes">
      <legend>{fieldInWords(field)}</legend>
      {values.map((value) => (
        <label key={String(value)}>
          <input
            type="radio"
            className="radio"
            name={`${name}-${field}`}
            checked={outcome[field] === value}
            onChange={() => choose(field, value)}
          />
          {answerInWords(value)}
        </label>
      ))}
    </fieldset>
  ));
}
