import type { RunbookDocument, RunbookRuleView } from '@casefile/contracts';
import { useEffect } from 'react';
import { Link, useSearchParams } from 'wouter';
import { ApiProblem } from '../../api/request.js';
import { useRunbook } from '../../api/runbooks.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { SafeMarkdown } from '../../ui/markdown.js';
import { Empty, Failed, errorMessage, Skeleton } from '../../ui/states.js';
import { Stamp } from '../../ui/stamp.js';
import './runbooks.css';

/** Page of a runbook: rules that select it, text, and earlier texts. `?version=` names the text to show. */
export default function RunbookPage({ name }: { name: string }) {
  const { data, error, refetch } = useRunbook(name);
  useEffect(() => void (document.title = `${data?.versions[0]?.title ?? 'Runbook'} · Casefile`), [data]);
  if (data === undefined) {
    if (error instanceof ApiProblem && (error.status === 404 || error.status === 400)) {
      return (
        <Empty page title="There is no such runbook">
          {errorMessage(error)}. <Link href="/settings/knowledge">All runbooks</Link>
        </Empty>
      );
    }
    if (error !== null)
      return <Failed page what="The runbook could not be read" error={error} retry={() => void refetch()} />;
    return (
      <div className="panel">
        <Skeleton lines={10} label="The runbook is loading" />
      </div>
    );
  }
  return <Runbook runbook={data} />;
}

function Runbook({ runbook }: { runbook: RunbookDocument }) {
  const [search] = useSearchParams();
  const requestedVersion = search.get('version');
  const { versions, currentVersion, rules, isDefault, name } = runbook;
  const shownVersion = versions.find(({ version }) => `${version}` === requestedVersion) ?? versions[0];
  if (shownVersion === undefined) return <Empty page title="This runbook has no text" />;
  return (
    <>
      <header className="runbook-head">
        <h1 dir="auto">{visible(shownVersion.title)}</h1>
        <p className="runbook-facts">
          <span className="mono quiet">{name}</span>
          <Badge>version {shownVersion.version}</Badge>
          {shownVersion.version !== currentVersion && (
            <Badge tone="amber">
              {currentVersion === null ? 'removed from its source' : 'not the current one'}
            </Badge>
          )}
          <span className="quiet">
            {visible(shownVersion.source)} · <span className="mono">{shownVersion.pin}</span>
          </span>
        </p>
      </header>
      <section className="panel runbook-part" aria-labelledby="rules">
        <h2 id="rules">Matching alerts</h2>
        <ul>
          {rules.map((rule, i) => (
            <li key={i}>{ruleText(rule)}</li>
          ))}
          {shownVersion.address !== null && (
            <li>alerts whose runbook_url is {visible(shownVersion.address)}</li>
          )}
          {isDefault && <li>alerts that match no other runbook: this runbook is the default</li>}
          <li>alerts whose runbook_url is its name</li>
        </ul>
      </section>
      <section className="panel runbook-part" aria-label="Text">
        <SafeMarkdown text={shownVersion.text} />
      </section>
      <section className="panel runbook-part" aria-labelledby="versions">
        <h2 id="versions">Versions</h2>
        <ul>
          {versions.map(({ version, pin, importedAt }) => (
            <li key={version}>
              <Link href={`/runbooks/${encodeURIComponent(name)}?version=${version}`}>version {version}</Link>{' '}
              <span className="quiet">
                <Stamp at={importedAt} /> · <span className="mono">{pin}</span>
              </span>
            </li>
          ))}
        </ul>
      </section>
    </>
  );
}

const WHERE: Record<RunbookRuleView['from'], string> = {
  settings: 'by the settings',
  'front matter': 'by its front matter',
  name: 'by its name',
};

function ruleText({ from, labels, alerts }: RunbookRuleView): string {
  const labelTexts = Object.entries(labels).map(([label, value]) => `${label}=${value}`);
  const parts = [
    ...(alerts.length === 0 ? [] : [`of type ${alerts.join(' or ')}`]),
    ...(labelTexts.length === 0 ? [] : [`with ${labelTexts.join(', ')}`]),
  ];
  return visible(`alerts ${parts.join(' ')} (${WHERE[from]})`);
}
