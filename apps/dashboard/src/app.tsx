import { rich, t } from './strings/text.js';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { MutationCache, QueryCache, QueryClientProvider } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter';
import { SIGN_IN } from './api/access.js';
import { ApiProblem } from './api/request.js';
import { LiveQueryClient } from './live/live-query-client.js';
import { LiveUpdates } from './live/live-updates.js';
import { movedTo } from './places.js';
import { NewKeys } from './shell/new-keys.js';
import { PreferencesProvider } from './shell/preferences.js';
import { Shell } from './shell/shell.js';
import { SignInGate } from './shell/sign-in-gate.js';
import { Toasts } from './shell/toasts.js';
import { Empty, Skeleton } from './ui/states.js';

const HomePage = lazy(() => import('./pages/home/home-page.js'));
const InboxPage = lazy(() => import('./pages/inbox/inbox-page.js'));
const CasesPage = lazy(() => import('./pages/cases/cases-page.js'));
const SubmitPage = lazy(() => import('./pages/submit/submit-page.js'));
const CasePage = lazy(() => import('./pages/case/case-page.js'));
const FlowPage = lazy(() => import('./pages/pipeline/flow-page.js'));
const QueuesPage = lazy(() => import('./pages/queues/queues-page.js'));
const CostPage = lazy(() => import('./pages/cost/cost-page.js'));
const ToolsPage = lazy(() => import('./pages/tools/tools-page.js'));
const DestinationsPage = lazy(() => import('./pages/destinations/destinations-page.js'));
const SchedulesPage = lazy(() => import('./pages/schedules/schedules-page.js'));
const QualityPage = lazy(() => import('./pages/quality/quality-page.js'));
const KindPage = lazy(() => import('./pages/improve/kind-page.js'));
const TrialPage = lazy(() => import('./pages/trials/trial-page.js'));
const PromptPage = lazy(() => import('./pages/prompts/prompt-page.js'));
const TrialsPage = lazy(() => import('./pages/trials/trials-page.js'));
const ExperimentPage = lazy(() => import('./pages/experiments/experiment-page.js'));
const BatchPage = lazy(() => import('./pages/batches/batch-page.js'));
const ConfigurationPage = lazy(() => import('./pages/configuration/configuration-page.js'));
const KnowledgePage = lazy(() => import('./pages/knowledge/knowledge-page.js'));
const PolicyPage = lazy(() => import('./pages/policy/policy-page.js'));
const RunbookPage = lazy(() => import('./pages/runbooks/runbook-page.js'));
const AccessPage = lazy(() => import('./pages/access/access-page.js'));
const AuditPage = lazy(() => import('./pages/audit/audit-page.js'));
const DocsPage = lazy(() => import('./pages/docs/docs-page.js'));

// Data becomes stale by events, not by age. An error response is final, so the request is not retried.
const queries = new LiveQueryClient({
  queryCache: new QueryCache({ onError: noteSignedOut }),
  mutationCache: new MutationCache({ onError: noteSignedOut }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < 2 && !(error instanceof ApiProblem && isRefusal(error.status)),
    },
  },
});

// A session that has ended: the page shows the sign-in, and returns to this page.
function noteSignedOut(error: unknown): void {
  if (error instanceof ApiProblem && error.status === 401)
    void queries.invalidateQueries({ queryKey: SIGN_IN });
}

function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/** The whole dashboard. */
export function App() {
  return (
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queries}>
        <PreferencesProvider>
          <NewKeys>
            <SignInGate>
              <Toasts>
                <LiveUpdates>
                  <Shell>
                    <Suspense fallback={<Skeleton lines={8} label={t('app.thePageIsLoading')} />}>
                      <Pages />
                    </Suspense>
                  </Shell>
                </LiveUpdates>
              </Toasts>
            </SignInGate>
          </NewKeys>
        </PreferencesProvider>
      </QueryClientProvider>
    </CSPProvider>
  );
}

function Pages() {
  return (
    <Switch>
      <Route path="/" component={HomePage} />
      <Route path="/inbox" component={InboxPage} />
      <Route path="/cases" component={CasesPage} />
      <Route path="/cases/new" component={SubmitPage} />
      <Route path="/cases/:caseId">{({ caseId }) => <CasePage key={caseId} caseId={caseId} />}</Route>
      <Route path="/operate" component={FlowPage} />
      <Route path="/operate/queues" component={QueuesPage} />
      <Route path="/operate/cost" component={CostPage} />
      <Route path="/operate/tools" component={ToolsPage} />
      <Route path="/operate/destinations" component={DestinationsPage} />
      <Route path="/operate/schedules" component={SchedulesPage} />
      <Route path="/improve" component={QualityPage} />
      <Route path="/improve/kinds/:kind">{({ kind }) => <KindPage key={kind} kind={kind} />}</Route>
      <Route path="/improve/kinds/:kind/trial">{({ kind }) => <TrialPage kind={kind} />}</Route>
      <Route path="/prompts/:playbook/:name">
        {({ playbook, name }) => <PromptPage key={`${playbook}/${name}`} playbook={playbook} name={name} />}
      </Route>
      <Route path="/improve/trials" component={TrialsPage} />
      <Route path="/experiments/:id">{({ id }) => <ExperimentPage key={id} id={id} />}</Route>
      <Route path="/batches/:batchId">{({ batchId }) => <BatchPage key={batchId} batchId={batchId} />}</Route>
      <Route path="/settings" component={ConfigurationPage} />
      <Route path="/settings/knowledge" component={KnowledgePage} />
      <Route path="/policies/:policyId/versions/:version">
        {({ policyId, version }) => (
          <PolicyPage key={`${policyId} ${version}`} policyId={policyId} version={version} />
        )}
      </Route>
      <Route path="/runbooks/:name">{({ name }) => <RunbookPage key={name} name={name} />}</Route>
      <Route path="/settings/people" component={AccessPage} />
      <Route path="/settings/audit" component={AuditPage} />
      <Route path="/docs/*?">{({ '*': page = '' }) => <DocsPage key={page} page={page} />}</Route>
      <Route>
        <Moved />
      </Route>
    </Switch>
  );
}

// Continues at the present address of a page that moved.
function Moved() {
  const [location] = useLocation();
  const to = movedTo(location, useSearch(), window.location.hash);
  if (to !== null) return <Redirect to={to} replace />;
  return (
    <Empty page title={t('app.thereIsNoSuchPage')}>
      {rich('app.isTheFirstPage', { link: <a href="/">{t('app.home')}</a> })}
    </Empty>
  );
}
