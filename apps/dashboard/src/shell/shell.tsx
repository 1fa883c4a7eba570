import { rich, t } from '../strings/text.js';
import { CircleHelp, FlaskConical, Scale, Sparkles } from 'lucide-react';
import { useEffect, useRef, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useConditions, useMeta } from '../api/queries.js';
import type { StreamState } from '../live/event-stream.js';
import { useLiveState } from '../live/live-updates.js';
import { Badge, Dot, type Tone } from '../ui/badge.js';
import { Button } from '../ui/button.js';
import { ErrorBoundary } from '../ui/error-boundary.js';
import { Empty } from '../ui/states.js';
import { useNarrow } from '../ui/use-media.js';
import { docHref } from '../places.js';
import './banner.css';
import { Conditions } from './conditions.js';
import './live-mark.css';
import { liveState } from './live-state.js';
import { EntryTabs, PagesNav } from './pages-nav.js';
import { PersonMenu } from './person-menu.js';
import { usePreferences } from './preferences.js';
import { SettingsMenu } from './settings-menu.js';
import './shell.css';
import { useKeys } from './use-keys.js';
import { openRow, walkRows } from '../ui/walk-rows.js';
import { Shortcuts } from './shortcuts.js';

/** Header, navigation and page. */
export function Shell({ children }: { children: ReactNode }) {
  const [location] = useLocation();
  useRowKeys();
  return (
    <div className="shell">
      <a className="skip" href="#main">
        {t('shell.skipToThePage')}
      </a>
      <header className="top">
        <Brand />
        <div className="top-marks">
          <ModelMark />
          <LiveMark />
          <Shortcuts />
          <Help location={location} />
          <SettingsMenu />
          <PersonMenu />
        </div>
      </header>
      <PagesNav />
      <Main location={location}>{children}</Main>
    </div>
  );
}

// Inbox, cases and policies bind j and k in their own way.
function useRowKeys(): void {
  useKeys({ j: () => walkRows(1), k: () => walkRows(-1) }, 'window');
  useEffect(() => {
    window.addEventListener('keydown', openRow);
    return () => window.removeEventListener('keydown', openRow);
  }, []);
}

function Main({ location, children }: { location: string; children: ReactNode }) {
  const main = useRef<HTMLElement>(null);
  const first = useRef(true);
  const wentBack = useWentBack();
  // A new page scrolls to its top and is announced to screen readers. On back navigation the browser restores
  // the position.
  useEffect(() => {
    if (first.current) return void (first.current = false);
    if (window.location.hash === '' && wentBack.current !== location) window.scrollTo(0, 0);
    wentBack.current = null;
    main.current?.focus({ preventScroll: true });
  }, [location, wentBack]);
  return (
    <main id="main" className="main" ref={main} tabIndex={-1}>
      <Conditions />
      <DemonstrationBanner />
      <EntryTabs location={location} />
      <ErrorBoundary
        of={location}
        fallback={
          <Empty page title={t('shell.thisPageFailed')}>
            {t('shell.reloadItTheRestOf')}
          </Empty>
        }
      >
        {children}
      </ErrorBoundary>
    </main>
  );
}

// The path of the last back or forward navigation.
function useWentBack(): { current: string | null } {
  const wentBack = useRef<string | null>(null);
  useEffect(() => {
    const went = (): void => void (wentBack.current = window.location.pathname);
    window.addEventListener('popstate', went);
    return () => window.removeEventListener('popstate', went);
  }, []);
  return wentBack;
}

function Brand() {
  return (
    <Link href="/" className="brand" aria-label={t('shell.casefileHome')}>
      <img src="/favicon.svg" width={22} height={22} alt="" />
      <span>Casefile</span>
    </Link>
  );
}

const MARKS: Record<StreamState | 'problem' | 'unknown', { word: string; tone: Tone; title: string }> = {
  live: { word: t('shell.live'), tone: 'green', title: t('shell.updatesArriveAsTheyHappen') },
  connecting: { word: t('shell.connecting'), tone: 'neutral', title: t('shell.thePageConnectsToThe') },
  offline: { word: t('shell.offline'), tone: 'red', title: t('shell.updatesDoNotArriveFrom') },
  problem: { word: t('shell.problem'), tone: 'red', title: t('shell.anErrorIsOpenSee') },
  unknown: { word: t('shell.unknown'), tone: 'amber', title: t('shell.theConditionsCouldNotBe') },
};

/** Link to the documentation of the page that is shown. */
function Help({ location }: { location: string }) {
  return (
    <Link
      href={docHref(location)}
      className="button button-bare icon-button"
      aria-label={t('shell.documentationOfThisPage')}
      title={t('shell.documentationOfThisPage')}
    >
      <CircleHelp aria-hidden="true" size={16} />
    </Link>
  );
}

/** Shows whether the page is up to date, and whether an error is open. */
function LiveMark() {
  const state = liveState(useLiveState(), useConditions());
  const { word, tone, title } = MARKS[state];
  return (
    <span className="live-mark" role="status" title={title}>
      <Dot tone={tone} kind={state === 'live' ? 'pulse' : 'still'} />
      <span>{word}</span>
    </span>
  );
}

/** Shows the model in use. A simulator or the absence of a model is marked. */
function ModelMark() {
  const { data } = useMeta();
  if (data === undefined) return null;
  if (data.isSimulator) {
    return (
      <Badge
        tone="violet"
        title={t('shell.answersAreMadeUp', { provider: data.provider, model: data.model ?? '' })}
      >
        <FlaskConical aria-hidden="true" size={13} />
        <span>{t('shell.simulator')}</span>
        <span className="wide-only">{t('shell.answersAreMadeUp2')}</span>
      </Badge>
    );
  }
  if (data.demonstration === true) {
    return (
      <Badge tone="amber" title={t('shell.answersToTheBundledSamples')}>
        <FlaskConical aria-hidden="true" size={13} />
        <span>{t('shell.demonstration')}</span>
      </Badge>
    );
  }
  if (data.provider === 'unknown') {
    return (
      <Badge tone="amber" title={t('shell.noServiceThatCallsModels')}>
        <Scale aria-hidden="true" size={13} />
        <span>{t('shell.noReasonerYet')}</span>
      </Badge>
    );
  }
  if (data.provider === 'none') {
    return (
      <Badge tone="amber" title={t('shell.noLanguageModelIsConfigured')}>
        <Scale aria-hidden="true" size={13} />
        <span>{t('shell.rulesOnly')}</span>
      </Badge>
    );
  }
  return (
    <Badge title={t('shell.provider', { provider: data.provider })}>
      <Sparkles aria-hidden="true" size={13} />
      <span className="wide-only">{data.provider} ·</span>
      <span className="cut">{data.model ?? data.provider}</span>
    </Badge>
  );
}

/** Banner on every page: the answers to the samples were written by hand. Folded, it is one line. */
function DemonstrationBanner() {
  const { data } = useMeta();
  const { banner, setBanner } = usePreferences();
  const narrow = useNarrow();
  if (data?.demonstration !== true) return null;
  const isFolded = banner === 'as fits' ? narrow : banner === 'folded';
  return (
    <div className="banner">
      <FlaskConical aria-hidden="true" size={14} />
      <p id="demonstration" className={isFolded ? 'cut' : undefined}>
        {rich('shell.noModelIsAsked', {
          strong: <strong>{t('shell.demonstration2')}</strong>,
          isFolded: !isFolded && ` ${t('shell.answersToTheBundledSamples2')}`,
        })}
      </p>
      <Button
        kind="bare"
        small
        className="banner-fold"
        aria-expanded={!isFolded}
        aria-controls="demonstration"
        aria-label={isFolded ? t('shell.moreAboutTheDemonstration') : t('shell.lessAboutTheDemonstration')}
        onClick={() => setBanner(isFolded ? 'open' : 'folded')}
      >
        {isFolded ? t('shell.more') : t('shell.less')}
      </Button>
    </div>
  );
}
