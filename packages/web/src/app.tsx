import { lazy, Suspense, type ReactElement } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Frame } from './shell/frame.tsx';
import { PageBoundary } from './shell/page-boundary.tsx';
import { useFirstText } from './text/language.tsx';

// What a page shows comes from the hub, and is loaded while the connection is made.
const NewSessionPage = lazy(async () => ({
  default: (await import('./sessions/new-session-page.tsx')).NewSessionPage,
}));
const SessionPage = lazy(async () => ({
  default: (await import('./session/session-page.tsx')).SessionPage,
}));
const InboxPage = lazy(async () => ({ default: (await import('./inbox/inbox-page.tsx')).InboxPage }));
const AgentsPage = lazy(async () => ({ default: (await import('./agents/agents-page.tsx')).AgentsPage }));
const InspectorPage = lazy(async () => ({
  default: (await import('./inspector/inspector-page.tsx')).InspectorPage,
}));

const WorktreesPage = lazy(async () => ({
  default: (await import('./worktrees/worktrees-page.tsx')).WorktreesPage,
}));
const SearchPage = lazy(async () => ({ default: (await import('./search/search-page.tsx')).SearchPage }));
const SettingsPage = lazy(async () => ({
  default: (await import('./settings/settings-page.tsx')).SettingsPage,
}));
const UsagePage = lazy(async () => ({ default: (await import('./usage/usage-page.tsx')).UsagePage }));
const MachinesPage = lazy(async () => ({
  default: (await import('./machines/machines-page.tsx')).MachinesPage,
}));
const PermissionsPage = lazy(async () => ({
  default: (await import('./permission/permissions-page.tsx')).PermissionsPage,
}));

/** The whole interface: a frame, and in it the page that the address names. */
export function App(): ReactElement {
  const { shell } = useFirstText();
  const [path] = useLocation();
  return (
    <Frame>
      <PageBoundary key={path}>
        <Suspense fallback={<p className="page soft">{shell.loading}</p>}>
          <Switch>
            <Route path="/" component={NewSessionPage} />
            <Route path="/sessions/:key">{({ key }) => <SessionPage key={key} sessionKey={key} />}</Route>
            <Route path="/sessions/:key/inspector">
              {({ key }) => <InspectorPage key={key} sessionKey={key} />}
            </Route>
            <Route path="/inspector">
              <InspectorPage />
            </Route>
            <Route path="/inbox" component={InboxPage} />
            <Route path="/agents">
              <AgentsPage />
            </Route>
            <Route path="/agents/:name">{({ name }) => <AgentsPage name={name} />}</Route>
            <Route path="/worktrees/:name?">{({ name }) => <WorktreesPage name={name} />}</Route>
            <Route path="/permissions" component={PermissionsPage} />
            <Route path="/search" component={SearchPage} />
            <Route path="/usage" component={UsagePage} />
            <Route path="/machines" component={MachinesPage} />
            <Route path="/settings" component={SettingsPage} />
            <Route>
              <section className="page">
                <h1 tabIndex={-1}>{shell.notFound}</h1>
              </section>
            </Route>
          </Switch>
        </Suspense>
      </PageBoundary>
    </Frame>
  );
}
