import type { Configuration, SettingEntry } from '@casefile/contracts';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { getJson } from '../../api/request.js';
import { countOf } from '../../format/numbers.js';
import { visible } from '../../format/visible.js';
import { DataTable } from '../../ui/data-table.js';
import type { Column } from '../../ui/table-columns.js';
import { Badge } from '../../ui/badge.js';
import { Choice } from '../../ui/choice.js';
import { useFilter } from '../../ui/use-filter.js';
import { SearchField } from '../../ui/search-field.js';
import { Empty, Failed, Skeleton } from '../../ui/states.js';
import { settingSections, type SettingSection } from './setting-sections.js';
import './configuration.css';

const FILTERS = ['q', 'source'] as const;
const SOURCES = [
  ['file', 'file'],
  ['environment', 'environment'],
  ['default', 'default'],
] as const;

/** Page of the settings in force by section, what differs from the default first. */
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
        <Sections
          sections={settingSections(data.configuration, { q, source })}
          isFiltered={q !== '' || source !== ''}
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

interface SectionsProps {
  sections: SettingSection[];
  /** Whether a filter is set. Then the defaults that match are shown, too. */
  isFiltered: boolean;
}

function Sections({ sections, isFiltered }: SectionsProps) {
  if (sections.length === 0)
    return (
      <Empty title="No such setting">
        All settings: <a href="/docs/reference/settings">Settings</a>
      </Empty>
    );
  const shown = sections.filter((section) => isFiltered || section.changed.length > 0);
  const rest = sections.filter((section) => !shown.includes(section));
  const changed = sections.reduce((sum, section) => sum + section.changed.length, 0);
  return (
    <>
      <p className="quiet">
        {countOf(changed, 'setting')} of the console {changed === 1 ? 'differs' : 'differ'} from the default.
        Secrets are masked.
      </p>
      {shown.map((section) => (
        <Section key={section.name} section={section} isFiltered={isFiltered} />
      ))}
      {rest.length > 0 && (
        <details className="panel configuration">
          <summary>{countOf(rest.length, 'section')} with defaults only</summary>
          {rest.map((section) => (
            <Section key={section.name} section={section} isFiltered={isFiltered} />
          ))}
        </details>
      )}
    </>
  );
}

function Section({ section: { name, changed, defaults }, isFiltered }: SectionProps) {
  return (
    <section className="panel configuration" aria-label={name}>
      <h2>{name}</h2>
      {changed.length > 0 && <Entries label={`${name}: changed`} entries={changed} />}
      {isFiltered && defaults.length > 0 && <Entries label={`${name}: defaults`} entries={defaults} />}
      {!isFiltered && defaults.length > 0 && (
        <details>
          <summary>{countOf(defaults.length, 'default')}</summary>
          <Entries label={`${name}: defaults`} entries={defaults} />
        </details>
      )}
    </section>
  );
}

interface SectionProps extends Pick<SectionsProps, 'isFiltered'> {
  section: SettingSection;
}

function Entries({ label, entries }: { label: string; entries: SettingEntry[] }) {
  return (
    <DataTable
      name="configuration"
      label={label}
      rows={entries}
      columns={COLUMNS}
      rowKey={({ name }) => name}
      tools={false}
    />
  );
}

const COLUMNS: readonly Column<SettingEntry>[] = [
  {
    name: 'Setting',
    cell: ({ name }) => name,
    value: ({ name }) => name,
    className: 'mono configuration-name',
  },
  { name: 'Value', cell: valueText, value: valueText, className: 'mono configuration-value' },
  {
    name: 'Source',
    cell: ({ source, file }) => (
      <>
        <Badge tone={TONES[source]}>{source}</Badge>
        {file !== null && <div className="quiet">{visible(file)}</div>}
      </>
    ),
    value: ({ source }) => source,
  },
];

function valueText({ value }: SettingEntry): string {
  if (value === null) return 'not set';
  return visible(typeof value === 'string' ? value : JSON.stringify(value));
}
