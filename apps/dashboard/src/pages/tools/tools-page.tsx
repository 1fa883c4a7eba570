import { ROW } from '../../ui/walk-rows.js';
import type { ApprovedTools, DataSourceList, EntryChange, ServerTool, ToolServer } from '@casefile/contracts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { postJson } from '../../api/request.js';
import { useSources } from '../../api/sources.js';
import { TOOLS_KEY, useTools } from '../../api/tools.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { useToast } from '../../shell/toasts.js';
import { Badge } from '../../ui/badge.js';
import { Button } from '../../ui/button.js';
import { Reason } from '../../ui/reason.js';
import { Empty, Failed, errorMessage, Skeleton } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';
import { Sources } from './sources.js';
import { ToolLanes } from './tool-lanes.js';
import './tools.css';

/** Page of tools: data sources, and tool servers with state, allowed tools, and tools that wait for approval. */
export default function ToolsPage() {
  useEffect(() => void (document.title = 'Tools · Casefile'), []);
  const { data, error, refetch } = useTools();
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
          <h2>MCP servers</h2>
          <Servers servers={data.servers.filter(({ server }) => !isSource(sources.data, server))} />
          <ToolLanes />
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
          <li key={tool.tool} {...ROW}>
            <ToolLine server={server} tool={tool} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const STATES = { approved: 'green', new: 'amber', changed: 'red', unlisted: 'neutral' } as const;

/**
 * A tool of an MCP server, with its calls, and its approval if it is new or changed.
 * @param isOpen Whether the differences are unfolded at first.
 */
export function ToolLine({
  server,
  tool,
  isOpen = false,
}: {
  server: string;
  tool: ServerTool;
  isOpen?: boolean;
}) {
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
      {(state === 'new' || state === 'changed') && <Quarantine server={server} tool={tool} isOpen={isOpen} />}
    </>
  );
}

interface QuarantineProps {
  server: string;
  tool: ServerTool;
  isOpen: boolean;
}

function Quarantine({ server, tool: { tool, hash, changes, name }, isOpen }: QuarantineProps) {
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
    onSettled: () => {
      for (const key of [TOOLS_KEY, ['inbox']]) void client.invalidateQueries({ queryKey: key });
    },
  });
  return (
    <details className="tool-quarantine" open={isOpen || undefined}>
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
