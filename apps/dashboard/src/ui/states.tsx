import { t, type TextKey } from '../strings/text.js';
import { CircleAlert, Inbox } from 'lucide-react';
import type { ReactNode } from 'react';
import { useConditions } from '../api/queries.js';
import { outageBehind } from '../api/read-error.js';
import { ApiProblem } from '../api/request.js';
import { Button } from './button.js';
import './states.css';

interface StateTitleProps {
  /** Whether the state fills the whole page, so that its title is the page's heading. */
  page?: boolean;
  children: ReactNode;
}

function StateTitle({ page = false, children }: StateTitleProps) {
  return page ? <h1 className="state-title">{children}</h1> : <p className="state-title">{children}</p>;
}

/** An empty state with its possible reason. */
export function Empty({
  title,
  page = false,
  children,
}: {
  title: string;
  page?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className="state">
      <Inbox aria-hidden="true" size={22} strokeWidth={1.5} />
      <StateTitle page={page}>{title}</StateTitle>
      {children !== undefined && <div className="state-text">{children}</div>}
    </div>
  );
}

/** Shown if data could not be read: the outage behind it or the error of the server, and a button to retry. */
export function Failed({
  what,
  error,
  page = false,
  retry,
}: {
  what: string;
  error: unknown;
  page?: boolean;
  retry?: () => void;
}) {
  const conditions = useConditions().data?.conditions ?? [];
  return (
    <div className="state" role="alert">
      <CircleAlert aria-hidden="true" className="state-bad" size={22} strokeWidth={1.5} />
      <StateTitle page={page}>{what}</StateTitle>
      <p className="state-text">{outageBehind(error, conditions) ?? errorMessage(error)}</p>
      {retry !== undefined && <Button onClick={retry}>{t('ui.tryAgain')}</Button>}
    </div>
  );
}

/** Returns the message of an error, with the problems of single fields. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return t('ui.anUnknownError');
  if (!(error instanceof ApiProblem)) return error.message;
  // The message may already contain the problem.
  const fields = error.errors.filter(({ message }) => !error.message.includes(message));
  const fieldTexts = fields.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`));
  return [statedProblem(error), ...fieldTexts].join(' · ');
}

/** Strings that state the class of an error, as the server's message is in English. */
const CLASSES: Readonly<Record<number, TextKey>> = {
  400: 'error.invalid',
  401: 'error.signedOut',
  403: 'error.forbidden',
  404: 'error.notFound',
  409: 'error.conflict',
  422: 'error.invalid',
  429: 'error.tooMany',
  500: 'error.internal',
  503: 'error.unavailable',
};

function statedProblem({ status, message }: ApiProblem): string {
  const key = CLASSES[status];
  return key === undefined ? message : t(key, { message });
}

/** Grey placeholder bars for text that is loading. */
export function Skeleton({ lines = 3, label }: { lines?: number; label: string }) {
  return (
    <div className="skeleton" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className={`skeleton-line skeleton-line-${line % 4}`} />
      ))}
    </div>
  );
}
