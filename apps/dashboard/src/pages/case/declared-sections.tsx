import { rich, t } from '../../strings/text.js';
import type { ShownAlert, ShownCase, ShownDisplay, ShownRun } from '@casefile/contracts';
import { shownSections, type ShownSection } from '@casefile/contracts/display';
import { lazy, Suspense } from 'react';
import { usePlaybooks } from '../../api/queries.js';
import { visible } from '../../format/visible.js';
import { Badge } from '../../ui/badge.js';
import { CitedText } from '../../ui/cited-text.js';
import type { EvidenceLinks } from '../../ui/link-citations.js';
import { ScrollTable } from '../../ui/scroll-table.js';
import { isTime, ShownValue } from '../../ui/shown-value.js';
import { AlertImage } from './alert-card.js';
import './declared-sections.css';
import { evidenceLinks } from './evidence-places.js';

// The library of charts is loaded only for a case that has one.
const SectionChart = lazy(() => import('./section-chart.js'));

/** Returns how the kind of a case is displayed; undefined: not read yet, or the kind is not installed. */
export function useDisplay(playbook: string): ShownDisplay | undefined {
  return usePlaybooks().data?.playbooks.find(({ name }) => name === playbook)?.display;
}

interface DeclaredSectionsProps {
  shown: Pick<ShownCase, 'alerts' | 'playbook'>;
  run: ShownRun;
  /** Level of the headings. */
  level: 2 | 3;
  /** Whether the evidence is on the same page, so that citations lead to it. */
  linked: boolean;
}

/** The sections that the kind of a case declares, each with the values that there are. */
export function DeclaredSections({ shown, run, level, linked }: DeclaredSectionsProps) {
  const display = useDisplay(shown.playbook);
  const alert = shown.alerts.find(({ id }) => id === run.alertId) ?? shown.alerts.at(-1);
  if (display === undefined || alert === undefined) return null;
  const sections = shownSections(display.sections, displayedCase(run, alert));
  const links = linked ? evidenceLinks(run, '') : new Map<string, string>();
  const Heading = `h${level}` as const;
  return sections.map((section) => (
    <section key={section.title} className="card declared" aria-label={section.title}>
      <header className="card-head">
        <Heading>{section.title}</Heading>
      </header>
      <SectionContent section={section} alert={alert} links={links} />
      {section.more > 0 && <p className="quiet">{rich('case.more', { more: section.more })}</p>}
    </section>
  ));
}

function displayedCase(run: ShownRun, alert: ShownAlert) {
  const draft = run.artifacts.findLast(({ artifact, unit }) => artifact === 'draft' && unit === '');
  const answer = draft?.body['answer'];
  return {
    alert: { text: alert.text, payload: alert.payload },
    hasImage: alert.image !== undefined,
    evidence: run.evidence,
    answer: typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? answer : {},
    outcome: run.verdict?.outcome ?? {},
  };
}

interface SectionContentProps {
  section: ShownSection;
  alert: ShownAlert;
  links: EvidenceLinks;
}

// The value of a path may be anything that a sender wrote: all of it is shown as plain text.
function SectionContent({ section, alert, links }: SectionContentProps) {
  switch (section.show) {
    case 'text':
      return (
        <blockquote className="alert-text" dir="auto">
          {visible(section.text)}
        </blockquote>
      );
    case 'facts':
      return (
        <dl className="payload-fields">
          {section.rows.map(({ label, value }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd dir="auto">
                <ShownValue value={value} />
              </dd>
            </div>
          ))}
        </dl>
      );
    case 'badges':
      return (
        <ul className="declared-badges">
          {section.words.map((word, i) => (
            <li key={i} dir="auto">
              <Badge>{visible(word)}</Badge>
            </li>
          ))}
        </ul>
      );
    case 'table':
      return <SectionTable section={section} />;
    case 'chart':
      return (
        <Suspense fallback={<p className="quiet">{t('case.theChartIsLoading')}</p>}>
          <SectionChart section={section} />
        </Suspense>
      );
    case 'timeline':
      return (
        <ol className="declared-timeline">
          {section.entries.map(({ at, text, evidence }, i) => (
            <li key={i}>
              <span className="quiet">{isTime(at) ? <ShownValue value={at} /> : visible(at)}</span>
              <span dir="auto">
                <CitedText text={text} links={links} /> <Source id={evidence} links={links} />
              </span>
            </li>
          ))}
        </ol>
      );
    case 'quotes':
      return section.quotes.map(({ words, evidence }, i) => (
        <blockquote key={i} className="alert-text" dir="auto">
          “{visible(words)}” <Source id={evidence} links={links} />
        </blockquote>
      ));
    case 'image':
      return alert.image === undefined ? null : <AlertImage image={alert.image} />;
  }
}

/** Where an entry comes from: the id of evidence that the page shows is a link. */
function Source({ id, links }: { id: string | null; links: EvidenceLinks }) {
  if (id === null) return null;
  return links.has(id) ? (
    <CitedText text={`[${id}]`} links={links} />
  ) : (
    <span className="quiet">({visible(id)})</span>
  );
}

function SectionTable({ section }: { section: Extract<ShownSection, { show: 'table' }> }) {
  const { title, columns, rows } = section;
  return (
    <div className="table-words">
      <ScrollTable label={t('case.table', { title })}>
        <thead>
          <tr>
            {columns.map((name, i) => (
              <th key={i} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, i) => (
            <tr key={i}>
              {cells.map((cell, j) => (
                <td key={j} dir="auto">
                  {cell === '' ? '' : <ShownValue value={cell} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </ScrollTable>
    </div>
  );
}
