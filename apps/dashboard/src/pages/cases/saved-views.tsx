import { X } from 'lucide-react';
import { useState, type FormEvent } from 'react';
import { Link, useSearch } from 'wouter';
import { visible } from '../../format/visible.js';
import { Button } from '../../ui/button.js';
import { readViews, withoutView, withView, writeViews } from './stored-views.js';

/** Views that a person saved: filters with a name. The present filters can be saved as another one. */
export function SavedViews({ search }: { search: string }) {
  const [views, setViews] = useState(readViews);
  const [name, setName] = useState('');
  const current = useSearch();
  const keep = (next: typeof views): void => {
    writeViews(next);
    setViews(next);
  };
  const save = (event: FormEvent): void => {
    event.preventDefault();
    if (name.trim() === '') return;
    keep(withView(views, { name: name.trim(), search }));
    setName('');
  };
  if (views.length === 0 && search === '') return null;
  return (
    <div className="saved-views">
      {views.map((view) => (
        <span key={view.name} className="chip">
          <Link
            href={`/cases${view.search}`}
            aria-current={view.search === `?${current}` ? 'page' : undefined}
          >
            {visible(view.name)}
          </Link>
          <Button
            kind="bare"
            small
            aria-label={`Remove the view ${view.name}`}
            onClick={() => keep(withoutView(views, view.name))}
          >
            <X aria-hidden="true" size={12} />
          </Button>
        </span>
      ))}
      {search !== '' && (
        <form onSubmit={save}>
          <input
            className="field"
            aria-label="Name of the view"
            placeholder="Save these filters as …"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          <Button type="submit" small disabled={name.trim() === ''}>
            Save
          </Button>
        </form>
      )}
    </div>
  );
}
