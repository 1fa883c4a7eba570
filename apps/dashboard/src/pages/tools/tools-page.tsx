import type {
  ApprovedTools,
  DataSourceList,
  EntryChange,
  ServerTool,
  ToolServer,
  ToolServerList,
} from '@casefile/contracts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getJson, postJson } from '../../api/request.js';
import { useSources } from '../../api/sources.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Imports } from '../../ui/imports.js';
import { Reason } from '../../ui/reason.js';
import { Empty, Failed, errorMessage, Skeleton } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';
import { Sources } from './sources.js';
import './tools.css';

const KEY = ['tools'];
/** The state of a server changes without an event, so the page polls. */
const EVERY_MS = 5_000;

/** Page of tools: data sources, and tool servers with state, allowed tools, and tools that wait for approval. */
export default function ToolsPage() {
  useEffect(() => void (document.title = 'Tools · Casefile'), []);
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => getJson<ToolServerList>('/tools', signal),
    refetchInterval: EVERY_MS,
  });
  const sources = useSources();
  const failure = error ?? sources.error;
  const retry = (): void => {
    void refetch();
    void sources.refetch();
  };
  return (
    <>
      <div className="page-head">
        <h1>Tools</h1>
      </div>
      {data !== undefined && sources.data !== undefined ? (
        <>
          <Sources {...sources.data} />
          <Imports into={(kind) => kind !== 'policy' && kind !== 'runbooks'} />
          <h2>MCP servers</h2>
          <Servers servers={data.servers.filter(({ server }) => !isSource(sources.data, server))} />
        </>
      ) : failure !== null ? (
        <Failed what="The tools could not be read" error={failure} retry={retry} />
      ) : (
        <div className="panel">
          <Skeleton lines={5} label="Tools are loading" />
        </div>
      )}
    </>
  );
}

const isSource = ({ sources }: DataSourceList, server: string): boolean =>
  sources.some(({ name }) => name === server);

function Servers({ servers }: { servers: ToolServer[] }) {
  if (servers.length === 0) {
    return (
      <Empty title="No MCP servers">
        Configure them in the settings section <code>mcp</code>
      </Empty>
    );
  }
  return servers.map((server) => <Server key={server.server} server={server} />);
}

const TONES = { ready: 'green', connecting: 'neutral', down: 'red' } as const;

function Server({ server: { server, state, why, changedAt, kinds, tools } }: { server: ToolServer }) {
  return (
    <section className="panel tool-server" aria-label={server}>
      <h3>
        {server} <Badge tone={TONES[state]}>{state}</Badge>
      </h3>
      <p className="quiet">
        for {kinds.join(', ')} · {countOf(tools.length, 'tool')}
        {changedAt !== null && (
          <>
            {' '}
            · {state} since <Stamp at={changedAt} />
          </>
        )}
      </p>
      {why !== null && <p className="tool-why">{visible(why)}</p>}
      <ul>
        {tools.map((tool) => (
          <li key={tool.tool}>
            <ToolLine server={server} tool={tool} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const STATES = { approved: 'green', new: 'amber', changed: 'red', unlisted: 'neutral' } as const;

function ToolLine({ server, tool }: { server: string; tool: ServerTool }) {
  const { name, state, required, description, approvedBy, approvedAt, calls, failed, lastAt, lastFailure } =
    tool;
  return (
    <>
      <div className="tool-line">
        <span className="mono">{visible(name)}</span>
        <Badge tone={STATES[state]}>{state}</Badge>
        {required && <Badge>required</Badge>}
        <span className="quiet">
          {countOf(calls, 'call')}
          {calls > 0 && `, ${Math.round((failed / calls) * 100)} % failed`}
          {lastAt !== null && (
            <>
              {' '}
              · last <Stamp at={lastAt} />
            </>
          )}
          {approvedBy !== null && ` · approved by ${visible(approvedBy)}`}
          {approvedAt !== null && (
            <>
              {' '}
              <Stamp at={approvedAt} />
            </>
          )}
        </span>
      </div>
      {description !== null && <p className="tool-words quiet">{visible(description)}</p>}
      {lastFailure !== null && (
        <p className="tool-words quiet">
          last failure <Stamp at={lastFailure.at} />: <Reason code={lastFailure.reasonCode} />,{' '}
          {visible(lastFailure.message)}
        </p>
      )}
      {(state === 'new' || state === 'changed') && <Quarantine server={server} tool={tool} />}
    </>
  );
}

function Quarantine({ server, tool: { tool, hash, changes, name } }: { server: string; tool: ServerTool }) {
  const client = useQueryClient();
  const toast = useToast();
  const approve = useMutation({
    mutationFn: () =>
      postJson<ApprovedTools>(`/tools/${encodeURIComponent(server)}/approve`, { tools: [{ tool, hash }] }),
    onSuccess: ({ approved }) =>
      toast(
        approved.length > 0
          ? { title: `${name} is approved` }
          : {
              title: `${name} was not approved`,
              text: 'The tool has changed again. Review it again.',
              isError: true,
            },
      ),
    onError: (failure) =>
      toast({ title: `${name} was not approved`, text: errorMessage(failure), isError: true }),
    onSettled: () => void client.invalidateQueries({ queryKey: KEY }),
  });
  return (
    <details className="tool-quarantine">
      <summary>Not called until it is approved: {countOf(changes.length, 'difference')}</summary>
      <dl>
        {changes.map((change) => (
          <Change key={change.path} change={change} />
        ))}
      </dl>
      <Button disabled={approve.isPending} onClick={() => approve.mutate()}>
        {approve.isPending ? 'Approving …' : `Approve ${name} as it is now`}
      </Button>
    </details>
  );
}

function Change({ change: { path, before, after } }: { change: EntryChange }) {
  return (
    <>
      <dt className="mono">{visible(path)}</dt>
      <dd>
        {before !== null && <del>{visible(wordsOf(before))}</del>}
        {after !== null && <ins>{visible(wordsOf(after))}</ins>}
      </dd>
    </>
  );
}

function wordsOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
