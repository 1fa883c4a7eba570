import type { PlaybookList, ReceivedAlert } from '@casefile/contracts';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState, type FormEvent } from 'react';
import { useLocation } from 'wouter';
import { postJson } from '../../api/request.js';
import { usePlaybooks } from '../../api/queries.js';
import { Button } from '../../ui/button.js';
import { errorMessage } from '../../ui/states.js';
import { alertFromForm, type AlertForm, type ChosenImage } from './alert-form.js';
import './submit.css';
import { ImageUp, X } from 'lucide-react';
import { cx } from '../../ui/cx.js';

const EMPTY: AlertForm = { playbook: '', text: '', payload: '', image: null, clarify: true };

/**
 * Page to submit an alert by hand. The alert goes through the ordinary intake, and the page then shows its
 * case.
 */
export default function SubmitPage() {
  const [form, setForm] = useState<AlertForm>(EMPTY);
  const { data } = usePlaybooks();
  const [, navigate] = useLocation();
  useEffect(() => void (document.title = 'Submit · Casefile'), []);
  const submit = useMutation({
    mutationFn: async (values: AlertForm) => {
      const received = await postJson<ReceivedAlert>('/alerts', alertFromForm(values));
      if (!('ignored' in received)) return received;
      throw new Error('This alert reports the end of a problem, or an act of a person, that no case has.');
    },
    onSuccess: ({ caseId }) => navigate(`/cases/${caseId}`),
  });
  const change = (part: Partial<AlertForm>): void => setForm((before) => ({ ...before, ...part }));
  const takes = acceptedParts(data, form.playbook);
  const clarifies =
    data?.playbooks.some(({ name, clarifies: may }) => name === form.playbook && may) === true;
  const isEmpty = form.text.trim() === '' && form.image === null && form.payload.trim() === '';
  const send = (event: FormEvent): void => {
    event.preventDefault();
    if (!isEmpty) submit.mutate(clarifies ? form : { ...form, clarify: null });
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
        {clarifies && (
          <label className="form-check">
            <input
              type="checkbox"
              checked={form.clarify === true}
              onChange={(event) => change({ clarify: event.target.checked })}
            />
            Ask for clarification on the case page if the alert is ambiguous
          </label>
        )}
        {submit.isError && (
          <p className="form-error" role="alert">
            {errorMessage(submit.error)}
          </p>
        )}
        <div className="form-actions">
          <Button kind="primary" type="submit" disabled={isEmpty || submit.isPending}>
            {submit.isPending ? 'Submitting …' : 'Submit'}
          </Button>
          <span className="quiet">The alert opens a case, or joins an open case about the same subject.</span>
        </div>
      </form>
    </>
  );
}

type Takes = PlaybookList['playbooks'][number]['takes'];

function acceptedParts(list: PlaybookList | undefined, playbook: string): Takes {
  const chosen = list?.playbooks.filter(({ name }) => playbook === '' || name === playbook) ?? [];
  return chosen.length === 0 ? ['text', 'image'] : chosen.flatMap(({ takes }) => takes);
}

const TYPES: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/webp',
] satisfies ChosenImage['mediaType'][];

interface ImageFieldProps {
  image: ChosenImage | null;
  change(image: ChosenImage | null): void;
}

/** Takes an image that is chosen, dropped on it, or pasted anywhere on the page. */
function ImageField({ image, change }: ImageFieldProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [isOver, setIsOver] = useState(false);
  const take = (file: File | undefined): void => {
    if (file === undefined) return;
    if (!TYPES.includes(file.type)) return setProblem(`${file.name} is not a PNG, JPEG or WebP image.`);
    setProblem(null);
    void read(file).then(change, () => setProblem(`${file.name} could not be read.`));
  };
  usePaste(take);
  return (
    <div className="form-row">
      <span className="form-label" id="image-label">
        Image
      </span>
      {image === null ? (
        <label
          className={cx('drop', isOver && 'drop-over')}
          onDragOver={(event) => {
            event.preventDefault();
            setIsOver(true);
          }}
          onDragLeave={() => setIsOver(false)}
          onDrop={(event) => {
            event.preventDefault();
            setIsOver(false);
            take(event.dataTransfer.files[0]);
          }}
        >
          <ImageUp aria-hidden="true" size={18} strokeWidth={1.6} />
          <span>Drop a screenshot here, paste it, or choose a file</span>
          <input
            type="file"
            className="visually-hidden"
            accept={TYPES.join(',')}
            aria-labelledby="image-label"
            onChange={(event) => take(event.target.files?.[0])}
          />
        </label>
      ) : (
        <Chosen image={image} remove={() => change(null)} />
      )}
      {problem !== null && (
        <p className="form-error" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

function Chosen({ image, remove }: { image: ChosenImage; remove: () => void }) {
  return (
    <div className="chosen">
      <img src={`data:${image.mediaType};base64,${image.base64}`} alt="The chosen image" />
      <span className="cut">
        {image.name} · {Math.ceil(image.bytes / 1_024).toLocaleString('en')} kB
      </span>
      <Button kind="bare" small onClick={remove} aria-label="Remove the image">
        <X aria-hidden="true" size={14} />
      </Button>
    </div>
  );
}

function usePaste(take: (file: File | undefined) => void): void {
  useEffect(() => {
    const paste = ({ clipboardData }: ClipboardEvent): void => {
      const file = [...(clipboardData?.files ?? [])].find(({ type }) => TYPES.includes(type));
      if (file !== undefined) take(file);
    };
    window.addEventListener('paste', paste);
    return () => window.removeEventListener('paste', paste);
  });
}

function read(file: File): Promise<ChosenImage> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onerror = () => reject(reader.error ?? new Error('the file could not be read'));
    reader.onload = () => {
      const base64 = String(reader.result).split(',')[1] ?? '';
      resolve({
        name: file.name,
        mediaType: file.type as ChosenImage['mediaType'],
        base64,
        bytes: file.size,
      });
    };
    reader.readAsDataURL(file);
  });
}
