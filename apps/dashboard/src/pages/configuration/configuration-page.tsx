import type { Configuration, SettingEntry } from '@casefile/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getJson } from '../../api/request.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { ColumnHeads } from '../../ui/column-heads.js';
import { Badge } from '../../ui/badge.js';
import { Choice } from '../../ui/choice.js';
import { useFilter } from '../../ui/use-filter.js';
import { ScrollTable } from '../../ui/scroll-table.js';
import { SearchField } from '../../ui/search-field.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import './configuration.css';

const FILTERS = ['q', 'source'] as const;
const SOURCES = [
  ['file', 'file'],
  ['environment', 'environment'],
  ['default', 'default'],
] as const;

/** Page of the settings in force, with their sources. */
export default function ConfigurationPage() {
  useEffect(() => void (document.title = 'Configuration · Casefile'), []);
  const [{ q = '', source = '' }, set] = useFilter(FILTERS);
  const { data, error, refetch } = useQuery({
    queryKey: ['configuration'],
    queryFn: ({ signal }) => getJson<Configuration>('/configuration', signal),
  });
  return (
    <>
      <div className="page-head">
        <h1>Configuration</h1>
        <div className="configuration-filters">
          <SearchField label="Find a setting" value={q} change={set('q')} />
          <Choice label="Source" value={source} options={SOURCES} all="all" change={set('source')} />
        </div>
      </div>
      {data !== undefined ? (
        <Entries
          entries={data.configuration.filter(
            (one) =>
              one.name.toLowerCase().includes(q.toLowerCase()) && (source === '' || one.source === source),
          )}
        />
      ) : error !== null ? (
        <Failed what="The configuration could not be read" error={error} retry={() => void refetch()} />
      ) : (
        <div className="panel">
          <Skeleton lines={10} label="The configuration is loading" />
        </div>
      )}
    </>
  );
}

const TONES = { default: 'neutral', file: 'accent', environment: 'violet' } as const;

function Entries({ entries }: { entries: SettingEntry[] }) {
  if (entries.length === 0)
    return (
      <Empty title="No such setting">
        All settings: <a href="/docs/reference/settings">Settings</a>
      </Empty>
    );
  return (
    <section className="panel configuration" aria-label="Settings">
      <p className="quiet">{countOf(entries.length, 'setting')} of the console. Secrets are masked.</p>
      <ScrollTable label="Table of settings">
        <ColumnHeads names={['Setting', 'Value', 'Source']} />
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.name}>
              <th scope="row" className="mono configuration-name">
                {entry.name}
              </th>
              <td className="mono configuration-value">{valueText(entry)}</td>
              <td title={entry.file ?? undefined}>
                <Badge tone={TONES[entry.source]}>{entry.source}</Badge>
                {entry.file !== null && <div className="quiet">{visible(entry.file)}</div>}
              </td>
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </section>
  );
}

function valueText({ value }: SettingEntry): string {
  if (value === null) return 'not set';
  return visible(typeof value === 'string' ? value : JSON.stringify(value));
}
