import { type ReactElement } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { later } from './parts/later.tsx';
import { Frame } from './shell/frame.tsx';
import { PageBoundary } from './shell/page-boundary.tsx';
import { useFirstText } from './text/language.tsx';

// What a page shows comes from the hub, and is loaded while the connection is made.
const NewSessionPage = later(async () => (await import('./sessions/new-session-page.tsx')).NewSessionPage);
const SessionPage = later(async () => (await import('./session/session-page.tsx')).SessionPage);
const InboxPage = later(async () => (await import('./inbox/inbox-page.tsx')).InboxPage);
const AgentsPage = later(async () => (await import('./agents/agents-page.tsx')).AgentsPage);
const InspectorPage = later(async () => (await import('./inspector/inspector-page.tsx')).InspectorPage);

const WorktreesPage = later(async () => (await import('./worktrees/worktrees-page.tsx')).WorktreesPage);
const SearchPage = later(async () => (await import('./search/search-page.tsx')).SearchPage);
const SettingsPage = later(async () => (await import('./settings/settings-page.tsx')).SettingsPage);
const UsagePage = later(async () => (await import('./usage/usage-page.tsx')).UsagePage);
const MachinesPage = later(async () => (await import('./machines/machines-page.tsx')).MachinesPage);
const PermissionsPage = later(
  async () => (await import('./permission/permissions-page.tsx')).PermissionsPage,
);

/** Begins to load the page that an address names, before it is rendered. */
export function loadPage(path: string): void {
  const [, first = '', , last] = path.split('/');
  const page = last === 'inspector' ? InspectorPage : pages.get(first);
  void page?.load();
}

/** The pages by the first part of their addresses. */
const pages: ReadonlyMap<string, { load(): Promise<void> }> = new Map(
  Object.entries({
    '': NewSessionPage,
    sessions: SessionPage,
    inspector: InspectorPage,
    inbox: InboxPage,
    agents: AgentsPage,
    worktrees: WorktreesPage,
    permissions: PermissionsPage,
    search: SearchPage,
    usage: UsagePage,
    machines: MachinesPage,
    settings: SettingsPage,
  }),
);

/** The whole interface: a frame, and in it the page that the address names. */
export function App(): ReactElement {
  const { shell } = useFirstText();
  const [path] = useLocation();
  const waiting = <p className="page soft">{shell.loading}</p>;
  return (
    <Frame>
      <PageBoundary key={path}>
        <Switch>
          <Route path="/">
            <NewSessionPage waiting={waiting} />
          </Route>
          <Route path="/sessions/:key">
            {({ key }) => <SessionPage key={key} sessionKey={key} waiting={waiting} />}
          </Route>
          <Route path="/sessions/:key/inspector">
            {({ key }) => <InspectorPage key={key} sessionKey={key} waiting={waiting} />}
          </Route>
          <Route path="/inspector">
            <InspectorPage waiting={waiting} />
          </Route>
          <Route path="/inbox">
            <InboxPage waiting={waiting} />
          </Route>
          <Route path="/agents">
            <AgentsPage waiting={waiting} />
          </Route>
          <Route path="/agents/:name">{({ name }) => <AgentsPage name={name} waiting={waiting} />}</Route>
          <Route path="/worktrees/:name?">
            {({ name }) => <WorktreesPage name={name} waiting={waiting} />}
          </Route>
          <Route path="/permissions">
            <PermissionsPage waiting={waiting} />
          </Route>
          <Route path="/search">
            <SearchPage waiting={waiting} />
          </Route>
          <Route path="/usage">
            <UsagePage waiting={waiting} />
          </Route>
          <Route path="/machines">
            <MachinesPage waiting={waiting} />
          </Route>
          <Route path="/settings">
            <SettingsPage waiting={waiting} />
          </Route>
          <Route>
            <section className="page">
              <h1 tabIndex={-1}>{shell.notFound}</h1>
              <p>
                <Link href="/">{shell.newSession}</Link>
              </p>
            </section>
          </Route>
        </Switch>
      </PageBoundary>
    </Frame>
  );
}
