import type { PlaybookList } from '@casefile/contracts';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { usePrompt, usePrompts } from '../../api/prompts.js';
import { visible } from '../../format/visible.js';
import { Button } from '../../ui/button.js';
import { trialHref, type Change } from './trial.js';

type Kind = PlaybookList['playbooks'][number];

const SUBJECTS = [
  ['prompt', 'prompt'],
  ['model', 'model'],
  ['threshold', 'threshold'],
  ['strategy', 'strategy'],
] as const;
type Subject = (typeof SUBJECTS)[number][0];

/** Form that chooses what a new trial of a kind changes: one prompt, the model, one threshold or the strategy. */
export function ChangeForm({ kind }: { kind: Kind }) {
  const [subject, setSubject] = useState<Subject>('prompt');
  const [change, setChange] = useState<Change | null>(null);
  const [, navigate] = useLocation();
  const Fields = FIELDS[subject];
  const open = (event: FormEvent): void => {
    event.preventDefault();
    if (change !== null) navigate(trialHref({ kind: kind.name, change }, 'past'));
  };
  return (
    <form className="panel trial-form" onSubmit={open} aria-label="New trial">
      <Field label="What changes">
        <select
          className="field"
          value={subject}
          onChange={(event) => {
            setSubject(event.target.value as Subject);
            setChange(null);
          }}
        >
          {SUBJECTS.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </Field>
      <Fields kind={kind} set={setChange} />
      <Button type="submit" kind="primary" disabled={change === null}>
        Open the trial
      </Button>
    </form>
  );
}

interface FieldsProps {
  kind: Kind;
  /** Receives the change; null: it is not complete. */
  set(change: Change | null): void;
}

const FIELDS: Record<Subject, (props: FieldsProps) => ReactNode> = {
  prompt: PromptFields,
  model: ModelFields,
  threshold: ThresholdFields,
  strategy: StrategyFields,
};

function PromptFields({ kind: { name: playbook }, set }: FieldsProps) {
  const prompts = (usePrompts().data?.prompts ?? []).filter((one) => one.playbook === playbook);
  const [chosen, setChosen] = useState('');
  const name = chosen === '' ? prompts[0]?.name : chosen;
  if (name === undefined) return <p className="quiet">No prompt of this kind is on the record yet.</p>;
  return (
    <>
      <Field label="Prompt">
        <select
          className="field"
          value={name}
          onChange={(event) => {
            setChosen(event.target.value);
            set(null);
          }}
        >
          {prompts.map((one) => (
            <option key={one.name}>{one.name}</option>
          ))}
        </select>
      </Field>
      <VersionField key={name} of={{ playbook, name }} set={set} />
    </>
  );
}

function VersionField({ of, set }: { of: { playbook: string; name: string }; set: FieldsProps['set'] }) {
  const [version, setVersion] = useState('');
  const versions = usePrompt(of).data?.versions ?? [];
  return (
    <Field label="Version">
      <select
        className="field"
        value={version}
        onChange={({ target: { value } }) => {
          setVersion(value);
          set(value === '' ? null : { prompts: { [of.name]: Number(value) } });
        }}
      >
        <option value="">Choose a version</option>
        {versions.map((one) => (
          <option key={one.version} value={String(one.version)}>
            {`${one.version} (${one.state}) ${visible(one.message)}`}
          </option>
        ))}
      </select>
    </Field>
  );
}

function ModelFields({ kind: { settings }, set }: FieldsProps) {
  const [provider, setProvider] = useState(settings?.provider ?? '');
  const [model, setModel] = useState('');
  const change = (nextProvider: string, nextModel: string): void => {
    setProvider(nextProvider);
    setModel(nextModel);
    set(nextModel.trim() === '' ? null : { provider: nextProvider.trim(), model: nextModel.trim() });
  };
  return (
    <>
      <Field label="Provider">
        <input className="field" value={provider} onChange={(event) => change(event.target.value, model)} />
      </Field>
      <Field label={`Model (now ${settings?.model ?? 'not known'})`}>
        <input className="field" value={model} onChange={(event) => change(provider, event.target.value)} />
      </Field>
    </>
  );
}

function ThresholdFields({ kind: { settings }, set }: FieldsProps) {
  const limits = Object.entries(settings?.options ?? {}).filter(([, value]) => typeof value === 'number');
  const [chosen, setChosen] = useState('');
  const [value, setValue] = useState('');
  const name = chosen === '' ? limits[0]?.[0] : chosen;
  if (name === undefined) return <p className="quiet">This kind has no threshold.</p>;
  const change = (nextName: string, nextValue: string): void => {
    setChosen(nextName);
    setValue(nextValue);
    const isNumber = nextValue.trim() !== '' && Number.isFinite(Number(nextValue));
    set(isNumber ? { options: { [nextName]: Number(nextValue) } } : null);
  };
  return (
    <>
      <Field label="Threshold">
        <select className="field" value={name} onChange={(event) => change(event.target.value, value)}>
          {limits.map(([option]) => (
            <option key={option}>{option}</option>
          ))}
        </select>
      </Field>
      <Field label={`Value (now ${String(settings?.options[name])})`}>
        <input
          className="field"
          inputMode="decimal"
          value={value}
          onChange={(event) => change(name, event.target.value)}
        />
      </Field>
    </>
  );
}

function StrategyFields({ kind: { settings }, set }: FieldsProps) {
  const [strategy, setStrategy] = useState('');
  return (
    <Field label={`Strategy (now ${settings?.strategy ?? 'not known'})`}>
      <input
        className="field"
        value={strategy}
        onChange={({ target: { value } }) => {
          setStrategy(value);
          set(value.trim() === '' ? null : { strategy: value.trim() });
        }}
      />
    </Field>
  );
}

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <label>
      <span>{label}</span>
      {children}
    </label>
  );
}
