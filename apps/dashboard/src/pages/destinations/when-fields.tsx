import { usePlaybooks } from '../../api/queries.js';
import { Choices, TextField, type FieldFormProps } from './form-fields.js';

const EVENTS = [
  ['verdict', 'Verdicts'],
  ['condition', 'Conditions of Casefile'],
  ['review', 'Verdicts that wait for a reviewer'],
  ['delivery', 'Other destinations that fail'],
] as const;
const same = (values: readonly string[]) => values.map((value) => [value, value] as const);
const DISPOSITIONS = same(['act', 'review', 'dismiss']);
const CONDITION_SEVERITIES = same(['error', 'warning']);

/** The part of the form that selects what a destination receives. */
export function WhenFields(fieldProps: FieldFormProps) {
  const { data } = usePlaybooks();
  const installed = data?.playbooks.map(({ name }) => name) ?? [];
  // A destination may name a kind that is not installed any more.
  const kinds = [...new Set([...installed, ...fieldProps.fields.playbook])];
  return (
    <>
      <Choices field="events" label="Events" choices={EVENTS} {...fieldProps} />
      {fieldProps.fields.events.includes('condition') && (
        <>
          <p className="quiet">Severity of the conditions. Nothing chosen: both.</p>
          <Choices
            field="conditionSeverity"
            label="Severity of conditions"
            choices={CONDITION_SEVERITIES}
            {...fieldProps}
          />
          <TextField
            field="condition"
            label="Which conditions"
            hint="Ids separated by commas, such as provider_out, queue_out. Empty: all."
            {...fieldProps}
          />
        </>
      )}
      <p className="quiet">
        Which cases: everything that is filled in must match. Verdict and confidence select verdicts only.
        Nothing filled in: every case.
      </p>
      <Choices field="disposition" label="Verdict" choices={DISPOSITIONS} {...fieldProps} />
      <p className="quiet">Kinds of case. Nothing chosen: all.</p>
      <Choices field="playbook" label="Kinds of case" choices={same(kinds)} {...fieldProps} />
      <TextField
        field="severity"
        label="Severities"
        hint="Separated by commas, such as critical, warning"
        {...fieldProps}
      />
      <TextField field="confidence" label="Lowest confidence" hint="From 0 to 1" {...fieldProps} />
      <TextField
        field="labels"
        label="Labels"
        rows={2}
        hint="One per line, such as team=checkout"
        {...fieldProps}
      />
    </>
  );
}
