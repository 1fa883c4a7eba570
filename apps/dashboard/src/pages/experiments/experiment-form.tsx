import { useState, type FormEvent, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useCreateExperiment } from '../../api/experiments.js';
import { usePrompt, usePrompts } from '../../api/prompts.js';
import { usePlaybooks } from '../../api/queries.js';
import { ApiProblem } from '../../api/request.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { Button } from '../../ui/button.js';
import { errorMessage } from '../../ui/states.js';
import { EMPTY_FIELDS, newExperiment, type ExperimentFields } from './new-experiment.js';

/** Form for a new experiment. The experiment starts when a person starts it on its page. */
export function ExperimentForm() {
  const [fields, setFields] = useState(EMPTY_FIELDS);
  const [wrongJson, setWrongJson] = useState<string | null>(null);
  const create = useCreateExperiment();
  const [, navigate] = useLocation();
  const toast = useToast();
  const change = (part: Partial<ExperimentFields>) => setFields((before) => ({ ...before, ...part }));
  const text = (name: keyof ExperimentFields) => ({
    className: 'field',
    value: fields[name],
    onChange: (event: { target: { value: string } }) => change({ [name]: event.target.value }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      const experiment = newExperiment(fields);
      setWrongJson(null);
      create.mutate(experiment, {
        onSuccess: ({ id, name }) => {
          toast({ title: `${name} was created` });
          navigate(`/experiments/${id}`);
        },
      });
    } catch (error) {
      setWrongJson(`Other settings: expected JSON. ${errorMessage(error)}`);
    }
  };
  const isReady = [fields.name, fields.playbook, fields.reason].every((value) => value.trim() !== '');
  return (
    <details className="panel experiment-part">
      <summary>Create an experiment</summary>
      <form className="experiment-form" onSubmit={submit}>
        <Row label="Name">
          <input {...text('name')} />
        </Row>
        <KindAndPrompt fields={fields} change={change} />
        <Row label="Mode">
          <select {...text('mode')}>
            <option value="shadow">Shadow: cases are judged a second time, without effect</option>
            <option value="ab">A/B: the new arm judges a share of new cases</option>
          </select>
        </Row>
        <Row label="Share of the cases, in percent">
          <input {...text('share')} inputMode="decimal" />
        </Row>
        {fields.mode === 'shadow' && (
          <Row label="Budget of the second runs, in US dollars">
            <input {...text('budget')} inputMode="decimal" />
          </Row>
        )}
        <Row label="Other settings of the new arm (JSON: strategy, provider, model, options)">
          <textarea {...text('settings')} className="field mono" rows={2} spellCheck={false} />
        </Row>
        <Row label="Largest loss that still counts as at least as good, in points (default: 3 for shadow, 5 for A/B)">
          <input {...text('margin')} inputMode="decimal" />
        </Row>
        <Row label="Reviewed cases that are expected (default: 1,000 for shadow, 2,000 for A/B)">
          <input {...text('expectedCases')} inputMode="numeric" />
        </Row>
        <Row label="Reason">
          <input {...text('reason')} />
        </Row>
        {wrongJson !== null && (
          <p role="alert" className="experiment-problem">
            {wrongJson}
          </p>
        )}
        {create.error !== null && <Problems error={create.error} />}
        <Button type="submit" kind="primary" disabled={create.isPending || !isReady}>
          Create
        </Button>
      </form>
    </details>
  );
}

/** The kind of case, and the prompt and version that the new arm uses. */
function KindAndPrompt({
  fields: { playbook, prompt, version },
  change,
}: {
  fields: ExperimentFields;
  change(part: Partial<ExperimentFields>): void;
}) {
  const kinds = usePlaybooks().data?.playbooks ?? [];
  const prompts = (usePrompts().data?.prompts ?? []).filter((one) => one.playbook === playbook);
  return (
    <>
      <Row label="Kind of case">
        <select
          className="field"
          value={playbook}
          onChange={(event) => change({ playbook: event.target.value, prompt: '', version: '' })}
        >
          <option value="">Choose a kind</option>
          {kinds.map(({ name, title }) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
      </Row>
      {prompts.length > 0 && (
        <Row label="Prompt of the new arm">
          <select
            className="field"
            value={prompt}
            onChange={(event) => change({ prompt: event.target.value, version: '' })}
          >
            <option value="">The current prompts</option>
            {prompts.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </Row>
      )}
      {prompt !== '' && <Version of={{ playbook, name: prompt }} version={version} change={change} />}
    </>
  );
}

function Version({
  of,
  version,
  change,
}: {
  of: { playbook: string; name: string };
  version: string;
  change(part: Partial<ExperimentFields>): void;
}) {
  const versions = usePrompt(of).data?.versions ?? [];
  return (
    <Row label="Version of the prompt">
      <select className="field" value={version} onChange={(event) => change({ version: event.target.value })}>
        <option value="">Choose a version</option>
        {versions.map((one) => (
          <option key={one.version} value={String(one.version)}>
            {`${one.version} (${one.state}) ${visible(one.message)}`}
          </option>
        ))}
      </select>
    </Row>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <label>
      <span>{label}</span>
      {children}
    </label>
  );
}

function Problems({ error }: { error: Error }) {
  const errors = error instanceof ApiProblem ? error.errors : [];
  return (
    <div role="alert" className="experiment-problem">
      {errors.length === 0 ? errorMessage(error) : 'The experiment was not created:'}
      {errors.length > 0 && (
        <ul>
          {errors.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <code>{path}</code> {visible(message)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
