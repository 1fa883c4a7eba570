import type { AcceptedAlert, PlaybookList } from '@casefile/contracts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { postJson } from '../../api/request.js';
import { usePlaybooks } from '../../api/queries.js';
import { Button } from '../../ui/button.js';
import { messageOf } from '../../ui/states.js';
import { alertOf, type AlertForm } from './alert-form.js';
import { ImageField } from './image-field.js';
import './submit.css';

const EMPTY: AlertForm = { playbook: '', text: '', payload: '', image: null };

/** An alert by hand, through the same intake that all others go through; then the page follows its case. */
export default function SubmitPage() {
  const [form, setForm] = useState<AlertForm>(EMPTY);
  const { data } = usePlaybooks();
  const [, navigate] = useLocation();
  useEffect(() => void (document.title = 'Submit · Casefile'), []);
  const submit = useMutation({
    mutationFn: (given: AlertForm) => postJson<AcceptedAlert>('/alerts', alertOf(given)),
    onSuccess: ({ caseId }) => navigate(`/cases/${caseId}`),
  });
  const change = (part: Partial<AlertForm>): void => setForm((before) => ({ ...before, ...part }));
  const takes = takesOf(data, form.playbook);
  const isEmpty = form.text.trim() === '' && form.image === null && form.payload.trim() === '';
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (!isEmpty) submit.mutate(form);
  };
  return (
    <>
      <div className="page-head">
        <h1>Submit an alert</h1>
      </div>
      <form className="panel submit" onSubmit={send}>
        <label className="form-row">
          <span className="form-label">Playbook</span>
          <select
            className="field"
            value={form.playbook}
            onChange={(event) => change({ playbook: event.target.value })}
          >
            <option value="">First matching playbook</option>
            {data?.playbooks.map(({ name, title }) => (
              <option key={name} value={name}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <label className="form-row">
          <span className="form-label">Text</span>
          <textarea
            className="field"
            rows={8}
            dir="auto"
            placeholder="The message, mail or alert as it was received"
            value={form.text}
            onChange={(event) => change({ text: event.target.value })}
          />
        </label>
        {takes.includes('image') && <ImageField image={form.image} change={(image) => change({ image })} />}
        {takes.includes('payload') && (
          <label className="form-row">
            <span className="form-label">Payload (JSON)</span>
            <textarea
              className="field mono"
              rows={5}
              value={form.payload}
              onChange={(event) => change({ payload: event.target.value })}
            />
          </label>
        )}
        {submit.isError && (
          <p className="form-error" role="alert">
            {messageOf(submit.error)}
          </p>
        )}
        <div className="form-actions">
          <Button kind="primary" type="submit" disabled={isEmpty || submit.isPending}>
            {submit.isPending ? 'Submitting …' : 'Submit'}
          </Button>
          <span className="quiet">It opens a case, or joins one about the same thing.</span>
        </div>
      </form>
    </>
  );
}

type Takes = PlaybookList['playbooks'][number]['takes'];

function takesOf(list: PlaybookList | undefined, playbook: string): Takes {
  const chosen = list?.playbooks.filter(({ name }) => playbook === '' || name === playbook) ?? [];
  return chosen.length === 0 ? ['text', 'image'] : chosen.flatMap(({ takes }) => takes);
}
