import { rich, t } from '../strings/text.js';
import type { CaseList, Configuration } from '@casefile/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useId, useState, type KeyboardEvent } from 'react';
import { useLocation } from 'wouter';
import { getJson } from '../api/request.js';
import { visible } from '../format/visible.js';
import { searchDocs } from '../pages/docs/search-docs.js';
import { docHref } from '../places.js';
import { cx } from '../ui/cx.js';
import { useTyped } from '../ui/use-typed.js';
import { foundCases, foundPlaces, foundSections, foundSettings, type Found } from './found-places.js';
import './palette.css';
import { useMay } from './use-may.js';

/** Shortest text that is searched in cases. */
const LEAST_CHARACTERS = 2;

/** The search over pages, acts, cases, settings and the documentation. */
export default function Palette({ close }: { close(): void }) {
  const [query, setQuery] = useState('');
  const [typed, setTyped] = useTyped(query, setQuery);
  const [, navigate] = useLocation();
  const found = useFound(typed, query);
  const [place, setPlace] = useState(0);
  const at = Math.min(place, found.length - 1);
  const list = useId();
  const open = ({ href }: Found): void => {
    close();
    navigate(href);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setPlace((Math.max(at, 0) + step + found.length) % Math.max(found.length, 1));
    }
    const chosen = found[at];
    if (event.key === 'Enter' && chosen !== undefined) {
      event.preventDefault();
      open(chosen);
    }
  };
  return (
    <>
      <input
        autoFocus
        className="field palette-field"
        type="text"
        role="combobox"
        aria-label={t('shell.findAPageACase')}
        aria-expanded="true"
        aria-controls={list}
        aria-activedescendant={at < 0 ? undefined : `${list}-${at}`}
        placeholder={t('shell.findAPageACase')}
        value={typed}
        onChange={(event) => {
          setPlace(0);
          setTyped(event.target.value);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={list} className="palette-list" role="listbox" aria-label={t('shell.results')}>
        {found.map((one, i) => (
          <li
            key={`${one.group} ${one.name} ${one.href}`}
            id={`${list}-${i}`}
            role="option"
            aria-selected={i === at}
            className={cx('palette-option', i === at && 'palette-chosen')}
            onPointerMove={() => setPlace(i)}
            onClick={() => open(one)}
          >
            <span className="cut" dir="auto">
              {visible(one.name)}
            </span>
            <span className="quiet cut">{[one.group, visible(one.note)].filter(Boolean).join(' · ')}</span>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="palette-none quiet">{rich('shell.nothingIsCalled', { typed })}</p>}
    </>
  );
}

/** `typed` finds what is known here; `query` follows after the user stops typing and is sent. */
function useFound(typed: string, query: string): Found[] {
  const may = useMay();
  const [location] = useLocation();
  const text = query.trim();
  const isLong = text.length >= LEAST_CHARACTERS;
  const cases = useQuery({
    queryKey: ['palette', text],
    queryFn: ({ signal }) =>
      getJson<CaseList>(`/cases?${new URLSearchParams({ q: text, limit: '6' }).toString()}`, signal),
    enabled: isLong && may('reviewer'),
    placeholderData: keepPreviousData,
  });
  const settings = useQuery({
    queryKey: ['configuration'],
    queryFn: ({ signal }) => getJson<Configuration>('/configuration', signal),
    enabled: isLong && may('operator'),
  });
  const sections = useQuery({
    queryKey: ['docs-search', text],
    queryFn: ({ signal }) => searchDocs(text, signal),
    enabled: isLong,
    placeholderData: keepPreviousData,
  });
  const help: Found = {
    group: t('shell.help'),
    name: t('shell.documentationOfThisPage'),
    note: '',
    href: docHref(location),
  };
  return [
    ...foundPlaces(typed.trim(), may),
    ...(isLong && settings.data !== undefined ? foundSettings(text, settings.data) : []),
    ...(isLong && cases.data !== undefined ? foundCases(cases.data) : []),
    ...(isLong && sections.data !== undefined ? foundSections(sections.data) : []),
    ...(typed.trim() === '' ? [help] : []),
  ];
}
