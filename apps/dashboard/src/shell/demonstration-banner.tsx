import { FlaskConical } from 'lucide-react';
import { useMeta } from '../api/queries.js';
import { Button } from '../ui/button.js';
import { useNarrow } from '../ui/use-media.js';
import { usePreferences } from './preferences.js';
import './banner.css';

/** States on every page that the answers to the samples were written by hand. Folded it is one line. */
export function DemonstrationBanner() {
  const { data } = useMeta();
  const { banner, setBanner } = usePreferences();
  const narrow = useNarrow();
  if (data?.demonstration !== true) return null;
  const isFolded = banner === 'as fits' ? narrow : banner === 'folded';
  return (
    <div className="banner">
      <FlaskConical aria-hidden="true" size={14} />
      <p id="demonstration" className={isFolded ? 'cut' : undefined}>
        <strong>Demonstration.</strong> No model is asked.
        {!isFolded && (
          <>
            {' '}
            Answers to the bundled samples were written by hand, and their prices are made up. Rules judge
            your own alerts.
          </>
        )}
      </p>
      <Button
        kind="bare"
        small
        className="banner-fold"
        aria-expanded={!isFolded}
        aria-controls="demonstration"
        aria-label={isFolded ? 'More about the demonstration' : 'Less about the demonstration'}
        onClick={() => setBanner(isFolded ? 'open' : 'folded')}
      >
        {isFolded ? 'More' : 'Less'}
      </Button>
    </div>
  );
}
