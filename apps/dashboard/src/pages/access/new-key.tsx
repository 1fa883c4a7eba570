import type { Scope } from '@casefile/contracts';
import { useState, type FormEvent } from 'react';
import { useCreateKey } from '../../api/keys.js';
import { useShowKey } from './new-key-card.js';
import { useActor } from '../../shell/use-actor.js';
import { useToast } from '../../shell/toasts.js';
import { ROLES } from '../../shell/use-may.js';
import { Button } from '../../ui/button.js';
import { errorMessage } from '../../ui/states.js';
import '../../ui/labelled-field.css';

const SCOPES = ['intake', 'feedback', 'metrics'] as const satisfies readonly Scope[];
const DAY_MS = 86_400_000;

/** Form for a new key. The first key is of an administrator. Limits of programs are set by command. */
export function NewKey({ isFirst }: { isFirst: boolean }) {
  const toast = useToast();
  const { name: by } = useActor();
  const { mutate, isPending } = useCreateKey(useShowKey());
  const [name, setName] = useState('');
  const [right, setRight] = useState<string>('viewer');
  const [days, setDays] = useState('');
  const chosen = isFirst ? 'admin' : right;
  const isRole = (ROLES as readonly string[]).includes(chosen);
  const send = (event: FormEvent): void => {
    event.preventDefault();
    const expires =
      days === '' ? {} : { expiresAt: new Date(Date.now() + Number(days) * DAY_MS).toISOString() };
    const rights = isRole ? { role: chosen } : { scopes: [chosen] };
    mutate(
      { name: name.trim(), ...rights, ...expires, by },
      {
        onSuccess: () => setName(''),
        onError: (error) => toast({ title: 'No key was created', text: errorMessage(error), isError: true }),
      },
    );
  };
  return (
    <form className="panel access-new" aria-label="New key" onSubmit={send}>
      <label className="labelled-field">
        <span>Name</span>
        <input
          className="field"
          value={name}
          maxLength={99}
          onChange={(event) => setName(event.target.value)}
        />
      </label>
      <label className="labelled-field">
        <span>Rights</span>
        <select className="field" value={chosen} onChange={(event) => setRight(event.target.value)}>
          {(isFirst ? ['admin'] : [...ROLES, ...SCOPES]).map((one) => (
            <option key={one} value={one}>
              {(SCOPES as readonly string[]).includes(one) ? `program: ${one}` : one}
            </option>
          ))}
        </select>
      </label>
      <label className="labelled-field">
        <span>Days until it expires</span>
        <input
          className="field"
          type="number"
          min={1}
          max={3650}
          placeholder="never"
          value={days}
          onChange={(event) => setDays(event.target.value)}
        />
      </label>
      <Button type="submit" kind="primary" disabled={name.trim() === '' || isPending}>
        Create a key
      </Button>
    </form>
  );
}
