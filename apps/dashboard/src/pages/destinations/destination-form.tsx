import type { DestinationType, ShownDestination } from '@casefile/contracts';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useSaveDestination } from '../../api/destinations.js';
import { ApiProblem } from '../../api/request.js';
import { Button } from '../../ui/button.js';
import { errorMessage } from '../../ui/states.js';
import {
  EMPTY,
  fieldsEntry,
  hasField,
  problemsByField,
  shownFields,
  type DestinationFields,
  type FieldProblems,
} from './form-entry.js';
import { Labelled, TextField, type FieldFormProps } from './form-fields.js';
import { WhenFields } from './when-fields.js';

const TYPES: readonly [DestinationType, string][] = [
  ['webhook', 'Webhook (Standard Webhooks or CloudEvents)'],
  ['slack', 'Slack'],
  ['pagerduty', 'PagerDuty'],
  ['template', 'Body template (Microsoft Teams, mail service, other)'],
];

interface FormProps {
  /** Destination to change; null: a new one. */
  destination: ShownDestination | null;
  close(): void;
  saved(name: string, isTested: boolean): void;
}

/** Form to add or change a destination. Each problem is shown at its field. Escape closes the form. */
export function DestinationForm({ destination, close, saved }: FormProps) {
  const [fields, setFields] = useState(destination === null ? EMPTY : shownFields(destination));
  const save = useSaveDestination();
  const form = useRef<HTMLFormElement>(null);
  const problems = problemsOf(save.error);
  useEffect(() => {
    // The first field with a problem gets the focus, so that a screen reader reads the problem.
    if (save.error !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [save.error]);
  const submit = (isTested: boolean): void =>
    save.mutate(
      {
        isNew: destination === null,
        isTested,
        name: fields.name.trim(),
        reason: fields.reason.trim(),
        entry: fieldsEntry(fields),
      },
      { onSuccess: () => saved(fields.name.trim(), isTested) },
    );
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    submit(false);
  };
  const title = destination === null ? 'Add a destination' : `Change ${destination.name}`;
  const fieldProps = {
    fields,
    problems,
    change: (some: Partial<DestinationFields>) => setFields({ ...fields, ...some }),
  };
  return (
    <form
      ref={form}
      className="panel destination destination-form"
      aria-label={title}
      onSubmit={onSubmit}
      onKeyDown={({ key }) => key === 'Escape' && close()}
    >
      <h2>{title}</h2>
      <p className="quiet">
        Write a secret only as <code>{'${DESTINATION_NAME}'}</code>: set the environment variable{' '}
        <code>DESTINATION_NAME</code> for the service decision. No other service reads the variable. A secret
        that is typed here would be stored and shown. See{' '}
        <a href="/docs/integrate/destinations#add-change-and-remove">Add, change and remove</a>.
      </p>
      <Receiver isNew={destination === null} {...fieldProps} />
      <fieldset>
        <legend>What it receives</legend>
        <WhenFields {...fieldProps} />
      </fieldset>
      <TextField
        field="escalateTo"
        label="Escalate to"
        hint="Name of a destination that gets each message which this one does not accept, or no person acknowledges, in time"
        {...fieldProps}
      />
      <TextField
        field="afterSeconds"
        label="Escalate after seconds"
        hint="Without an accepting answer of the receiver. From 10 to 86,400. Default: 60"
        {...fieldProps}
      />
      <TextField
        field="acknowledgeWithinSeconds"
        label="Escalate without an acknowledgement after seconds"
        hint="From 60 to 86,400. Empty: pages that nobody acknowledges are not escalated"
        {...fieldProps}
      />
      <TextField
        field="testCron"
        label="Send a test at"
        hint="Five cron fields, such as 0 9 * * 1 for Mondays at 9. Empty: no tests"
        {...fieldProps}
      />
      <TextField
        field="testTimezone"
        label="Time zone of the test"
        hint="Such as Europe/Berlin. Default: UTC"
        {...fieldProps}
      />
      <TextField
        field="reason"
        label="Reason of the change"
        hint="Optional; for the audit log."
        {...fieldProps}
      />
      {problems.form !== undefined && (
        <p className="field-problem" role="alert">
          {problems.form}
        </p>
      )}
      <div className="destination-acts">
        <Button type="submit" kind="primary" disabled={save.isPending}>
          Save
        </Button>
        <Button disabled={save.isPending} onClick={() => submit(true)}>
          Save and send a test
        </Button>
        <Button onClick={close}>Cancel</Button>
      </div>
    </form>
  );
}

function problemsOf(error: Error | null): FieldProblems {
  if (error === null) return {};
  if (error instanceof ApiProblem && error.errors.length > 0) return problemsByField(error.errors);
  return { form: errorMessage(error) };
}

function Receiver({ isNew, ...fieldProps }: FieldFormProps & { isNew: boolean }) {
  const { fields, change } = fieldProps;
  const { type } = fields;
  return (
    <>
      {isNew && (
        <TextField
          field="name"
          label="Name"
          hint="Lower case letters, digits and hyphens, such as on-call. It cannot be changed later."
          isFirst
          {...fieldProps}
        />
      )}
      <Labelled label="Type">
        {(id) => (
          <select
            id={id}
            className="field"
            value={type}
            autoFocus={!isNew}
            onChange={({ target }) => change({ type: target.value as DestinationType })}
          >
            {TYPES.map(([value, text]) => (
              <option key={value} value={value}>
                {text}
              </option>
            ))}
          </select>
        )}
      </Labelled>
      <TextField field="url" label="URL" hint={urlHint(type, isNew)} {...fieldProps} />
      <TextField
        field="channel"
        label="Channel"
        hint="Id of a channel, such as C0123456789, for a thread per case. Empty: the URL is an incoming webhook."
        {...fieldProps}
      />
      <TextField field="secret" label="Secret" hint={SECRET_HINTS[type]} {...fieldProps} />
      {hasField(type, 'format') && (
        <Labelled label="Format">
          {(id) => (
            <select
              id={id}
              className="field"
              value={fields.format}
              onChange={({ target }) => change({ format: target.value })}
            >
              <option value="">Standard Webhooks</option>
              <option value="cloudevents">CloudEvents</option>
            </select>
          )}
        </Labelled>
      )}
      <TextField
        field="headers"
        label="Headers"
        rows={2}
        hint="One per line, such as authorization: Bearer ${DESTINATION_TOKEN}"
        {...fieldProps}
      />
      <TextField
        field="body"
        label="Body"
        rows={4}
        hint="With {{text}}, {{title}}, {{link}} or other fields. In JSON each field stands inside quotes."
        {...fieldProps}
      />
      <TextField field="contentType" label="Content type" hint="Default: application/json" {...fieldProps} />
      <label className="destination-check">
        <input
          type="checkbox"
          checked={fields.allowPrivate}
          aria-invalid={fieldProps.problems.allowPrivate !== undefined}
          onChange={({ target }) => change({ allowPrivate: target.checked })}
        />{' '}
        The address may be private or loopback
      </label>
      <label className="destination-check">
        <input
          type="checkbox"
          checked={fields.acknowledgeLink}
          onChange={({ target }) => change({ acknowledgeLink: target.checked })}
        />{' '}
        Pages carry a link by which they are acknowledged without a sign-in
      </label>
      {fieldProps.problems.allowPrivate !== undefined && (
        <p className="field-problem" role="alert">
          {fieldProps.problems.allowPrivate}
        </p>
      )}
    </>
  );
}

const SECRET_HINTS: Record<DestinationType, string> = {
  webhook: 'Key of Standard Webhooks as ${DESTINATION_NAME}. Empty: requests are not signed.',
  template: 'Key of Standard Webhooks as ${DESTINATION_NAME}. Empty: requests are not signed.',
  slack: 'Token of the bot as ${DESTINATION_NAME}; needed with a channel.',
  pagerduty: 'Routing key of the service (Events API v2) as ${DESTINATION_NAME}.',
};

function urlHint(type: DestinationType, isNew: boolean): string {
  const own = type === 'pagerduty' || type === 'slack' ? ' Empty: the address of the service.' : '';
  return isNew
    ? `https://..., or \${DESTINATION_NAME} if its path is a secret.${own}`
    : 'Empty: the URL stays as it is. It is not shown, because its path may be a secret.';
}
