import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { SearchField } from '../../ui/search-field.js';
import { Failed, Skeleton } from '../../ui/states.js';
import { searchDocs, type SectionLink } from './search-docs.js';

interface DocsSearchProps {
  /** Searched words; '' shows the page in place of results. */
  query: string;
  search(query: string): void;
}

/** The search field of the documentation, and the sections that it found. Enter opens the first one. */
export function DocsSearch({ query, search }: DocsSearchProps) {
  const [, navigate] = useLocation();
  const { data, error, refetch } = useQuery({
    queryKey: ['docs-search', query],
    queryFn: ({ signal }) => searchDocs(query, signal),
    enabled: query !== '',
    staleTime: Infinity,
  });
  const first = data?.[0];
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (first === undefined) return;
          search('');
          navigate(first.href);
        }}
      >
        <SearchField
          label="Search the documentation"
          value={query}
          change={(typed) => search(typed.trim())}
        />
      </form>
      {query === '' ? null : error !== null ? (
        <Failed what="The documentation could not be searched" error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={6} label="Searching" />
      ) : (
        <Results query={query} links={data} leave={() => search('')} />
      )}
    </search>
  );
}

function Results({ query, links, leave }: { query: string; links: SectionLink[]; leave(): void }) {
  return (
    <div className="panel doc">
      <p className="quiet" role="status">
        {links.length === 0
          ? `No section contains all words of “${query}”.`
          : `Sections with all words: ${links.length}`}
      </p>
      <ol className="docs-found">
        {links.map(({ href, title, excerpt }) => (
          <li key={`${href} ${excerpt}`}>
            <Link href={href} onClick={leave}>
              {title}
            </Link>
            <p>{excerpt}</p>
          </li>
        ))}
      </ol>
    </div>
  );
}
