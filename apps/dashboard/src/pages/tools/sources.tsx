import type { DataSourceList, ShownDataSource } from '@casefile/contracts';
import { useState, type FormEvent } from 'react';
import { useAddSource, useSourceAct, type NewSource } from '../../api/sources.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Choice } from '../../ui/choice.js';
import { Confirm } from '../../ui/confirm.js';
import { Empty, errorMessage } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';

const TONES = { ready: 'green', connecting: 'neutral', down: 'red' } as const;
const NOTHING: NewSource = { source: 'prometheus', name: '', url: '', secret: '' };

/** Data sources with their state, and the form that adds one. */
export function Sources({ sources, shipped }: DataSourceList) {
  const [isAdding, setAdding] = useState(false);
  return (
    <section aria-label="Data sources">
      <div className="page-head">
        <h2>Data sources</h2>
        <Button aria-expanded={isAdding} onClick={() => setAdding(!isAdding)}>
          Add a data source
        </Button>
      </div>
      {isAdding && <SourceForm shipped={shipped} close={() => setAdding(false)} />}
      {sources.length === 0 ? (
        <Empty title="No data sources">
          Cases can ask Prometheus and other services: <a href="/docs/operate/data-sources">Data sources</a>
        </Empty>
      ) : (
        sources.map((source) => <Source key={source.name} source={source} />)
      )}
    </section>
  );
}

function Source({ source }: { source: ShownDataSource }) {
  const { name, title, address, state, why, kinds, tools, secret, probedAt, changedBy } = source;
  const [isRemoving, setRemoving] = useState(false);
  const toast = useToast();
  const { mutate, isPending } = useSourceAct();
  const act = (what: 'test' | 'remove') =>
    mutate(
      { act: what, name },
      {
        onSuccess: (now) =>
          toast(
            what === 'remove'
              ? { title: `${name} is removed` }
              : {
                  title: `${name} is ${now.state ?? ''}`,
                  isError: now.state === 'down',
                  ...(now.why == null ? {} : { text: now.why }),
                },
          ),
        onError: (error) => toast({ title: 'The action failed', text: errorMessage(error), isError: true }),
      },
    );
  return (
    <section className="panel tool-server" aria-label={name}>
      <h3>
        {name} <Badge tone={TONES[state]}>{state}</Badge>
        <Button small disabled={isPending} onClick={() => act('test')} aria-label={`Test ${name}`}>
          {isPending ? 'Working …' : 'Test'}
        </Button>
        <Button small disabled={isPending} onClick={() => setRemoving(true)} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </h3>
      <p className="quiet">
        {title} at <span className="mono">{visible(address)}</span> · for {kinds.join(', ')}
        {secret !== null && ` · secret ${secret}`} · added by {visible(changedBy)}
        {probedAt !== null && (
          <>
            {' '}
            · probed <Stamp at={probedAt} />
          </>
        )}
      </p>
      {why !== null && <p className="tool-why">{visible(why)}</p>}
      <p className="mono">{tools.join(' ')}</p>
      <Confirm
        open={isRemoving}
        title={`Remove ${name}?`}
        action="Remove"
        danger
        busy={isPending}
        close={() => setRemoving(false)}
        confirm={() => {
          setRemoving(false);
          act('remove');
        }}
      >
        New cases cannot ask it any more. The record keeps what it answered.
      </Confirm>
    </section>
  );
}

function SourceForm({ shipped, close }: { shipped: DataSourceList['shipped']; close(): void }) {
  const [fields, setFields] = useState(NOTHING);
  const toast = useToast();
  const { mutate, isPending, error } = useAddSource();
  const chosen = shipped.find(({ source }) => source === fields.source);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate(fields, {
      onSuccess: ({ name, state, why }) => {
        close();
        toast({
          title: `${name} is ${state}`,
          isError: state === 'down',
          ...(why === null ? {} : { text: why }),
        });
      },
    });
  };
  const text = (field: keyof NewSource, label: string, placeholder: string) => (
    <label className="labelled-field">
      <span>{label}</span>
      <input
        className="field source-field"
        value={fields[field]}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setFields({ ...fields, [field]: target.value })}
      />
    </label>
  );
  return (
    <form className="panel tool-server" onSubmit={submit} aria-label="New data source">
      <div className="source-fields">
        <Choice
          label="Source"
          value={fields.source}
          options={shipped.map(({ source, title }) => [source, title])}
          change={(source) => setFields({ ...fields, source })}
        />
        {text('url', 'Address', 'http://prometheus:9090')}
        {text('name', 'Name', fields.source)}
        {text('secret', 'Variable of its secret', 'SOURCE_TOKEN')}
      </div>
      {chosen !== undefined && (
        <p className="quiet">
          {chosen.about} The secret itself is not entered here: it is a variable of the evidence collector.
        </p>
      )}
      {error !== null && (
        <p className="tool-why" role="alert">
          {errorMessage(error)}
        </p>
      )}
      <Button kind="primary" type="submit" disabled={isPending}>
        {isPending ? 'Probing …' : 'Add and probe'}
      </Button>
    </form>
  );
}
