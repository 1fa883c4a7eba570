import type { FieldProblem, PlaybookList, ReceivedAlert } from '@casefile/contracts';
import { FieldError, formExample } from '@casefile/contracts/display';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import { ApiProblem, postJson } from '../../api/request.js';
import { usePlaybooks } from '../../api/queries.js';
import { Button } from '../../ui/button.js';
import { errorMessage } from '../../ui/states.js';
import { alertFromForm, EMPTY_FORM, isEmptyForm, type AlertForm } from './alert-form.js';
import { ImageField } from './image-field.js';
import { PayloadFields } from './payload-fields.js';
import { SubmittedCase } from './submitted-case.js';
import './submit.css';

type Kind = PlaybookList['playbooks'][number];

const ANY_TEXT = {
  label: 'Text',
  help: 'The message, mail or alert as it was received.',
  example: undefined,
};

/**
 * Page to submit an alert by hand. The alert goes through the ordinary intake, and the page then shows its
 * progress and its verdict.
 */
export default function SubmitPage() {
  const [form, setForm] = useState<AlertForm>(EMPTY_FORM);
  const { data } = usePlaybooks();
  useEffect(() => void (document.title = 'Submit · Casefile'), []);
  const kind = data?.playbooks.find(({ name }) => name === form.playbook);
  const submit = useMutation({
    mutationFn: async (values: AlertForm) => {
      const received = await postJson<ReceivedAlert>(
        '/alerts',
        alertFromForm(values, kind?.display.form ?? []),
      );
      if (!('ignored' in received)) return received;
      throw new Error('This alert reports the end of a problem, or an act of a person, that no case has.');
    },
  });
  const change = (part: Partial<AlertForm>): void => setForm((before) => ({ ...before, ...part }));
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (!isEmptyForm(form)) submit.mutate(kind?.clarifies === true ? form : { ...form, clarify: null });
  };
  return (
    <>
      <div className="page-head">
        <h1>Submit an alert</h1>
      </div>
      {submit.data !== undefined && (
        <SubmittedCase
          caseId={submit.data.caseId}
          another={() => {
            submit.reset();
            setForm({ ...EMPTY_FORM, playbook: form.playbook });
          }}
        />
      )}
      <form className="panel submit" hidden={submit.data !== undefined} onSubmit={send}>
        <Examples
          kinds={data?.playbooks ?? []}
          choose={(example) => {
            submit.reset();
            setForm({ ...EMPTY_FORM, ...example });
          }}
        />
        <label className="form-row">
          <span className="form-label">Kind</span>
          <select
            className="field"
            value={form.playbook}
            onChange={({ target }) => {
              submit.reset();
              change({ playbook: target.value, fields: {} });
            }}
          >
            <option value="">First matching kind</option>
            {data?.playbooks.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <AlertParts
          kinds={data?.playbooks ?? []}
          kind={kind}
          form={form}
          change={change}
          error={submit.error}
        />
        {submit.isError && (
          <p className="form-error" role="alert">
            {errorMessage(submit.error)}
          </p>
        )}
        <div className="form-actions">
          <Button kind="primary" type="submit" disabled={isEmptyForm(form) || submit.isPending}>
            {submit.isPending ? 'Submitting …' : 'Submit'}
          </Button>
          <span className="quiet">The alert opens a case, or joins an open case about the same subject.</span>
        </div>
      </form>
    </>
  );
}

interface ExamplesProps {
  kinds: readonly Kind[];
  choose(example: Pick<AlertForm, 'playbook' | 'text' | 'fields'>): void;
}

/** One example per kind that has one. A click fills in the form with it. */
function Examples({ kinds, choose }: ExamplesProps) {
  const examples = kinds.flatMap(({ name, title, display: { form, text } }) => {
    const example = { playbook: name, text: text?.example ?? '', fields: formExample(form) };
    return example.text === '' && Object.keys(example.fields).length === 0 ? [] : [{ title, example }];
  });
  if (examples.length === 0) return null;
  return (
    <fieldset className="form-examples">
      <legend className="form-label">Begin with an example</legend>
      {examples.map(({ title, example }) => (
        <Button key={example.playbook} small onClick={() => choose(example)}>
          {title}
        </Button>
      ))}
    </fieldset>
  );
}

interface AlertPartsProps {
  kinds: readonly Kind[];
  /** undefined: the first kind that accepts the alert. */
  kind: Kind | undefined;
  form: AlertForm;
  change(part: Partial<AlertForm>): void;
  error: Error | null;
}

/** The parts of an alert that the chosen kind accepts. */
function AlertParts({ kinds, kind, form, change, error }: AlertPartsProps) {
  const takes = acceptedParts(kinds, kind);
  const { form: fields = [], isOpen = true, text = ANY_TEXT } = kind?.display ?? {};
  return (
    <>
      {takes.includes('text') && text !== null && (
        <label className="form-row">
          <span className="form-label">{text.label}</span>
          <textarea
            className="field"
            rows={fields.length === 0 ? 8 : 4}
            dir="auto"
            value={form.text}
            onChange={({ target }) => change({ text: target.value })}
          />
          {text.help !== '' && <span className="form-help">{text.help}</span>}
        </label>
      )}
      {takes.includes('image') && <ImageField image={form.image} change={(image) => change({ image })} />}
      <PayloadFields
        fields={fields}
        texts={form.fields}
        isOnlyPart={!takes.includes('text') && !takes.includes('image')}
        problems={fieldProblems(error)}
        change={(key, typed) => change({ fields: { ...form.fields, [key]: typed } })}
      />
      {takes.includes('payload') && (isOpen || fields.length === 0) && (
        <details>
          <summary>{fields.length === 0 ? 'Payload as JSON' : 'Further fields as JSON'}</summary>
          <label className="form-row">
            <span className="visually-hidden">Payload (JSON)</span>
            <textarea
              className="field mono"
              rows={5}
              value={form.payload}
              onChange={({ target }) => change({ payload: target.value })}
            />
          </label>
        </details>
      )}
      {kind?.clarifies === true && (
        <label className="form-check">
          <input
            type="checkbox"
            checked={form.clarify === true}
            onChange={({ target }) => change({ clarify: target.checked })}
          />
          Ask for clarification on the case page if the alert is ambiguous
        </label>
      )}
    </>
  );
}

function acceptedParts(kinds: readonly Kind[], kind: Kind | undefined): Kind['takes'] {
  if (kind !== undefined) return kind.takes;
  return kinds.length === 0 ? ['text', 'image'] : kinds.flatMap(({ takes }) => takes);
}

/** Returns what the server, or the form, found wrong with single fields. */
function fieldProblems(error: Error | null): readonly FieldProblem[] {
  if (error instanceof FieldError) return [error];
  return error instanceof ApiProblem ? error.errors : [];
}
