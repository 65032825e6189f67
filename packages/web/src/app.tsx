import { lazy, Suspense, type ReactElement } from 'react';
import { Route, Switch } from 'wouter';
import { InboxPage } from './decide/inbox-page.tsx';
import { SessionPage } from './session/session-page.tsx';
import { NewSessionPage } from './sessions/new-session-page.tsx';
import { Frame } from './shell/frame.tsx';
import { useText } from './text/language.tsx';

const AgentsPage = lazy(async () => ({ default: (await import('./agents/agents-page.tsx')).AgentsPage }));
const InspectorPage = lazy(async () => ({
  default: (await import('./inspector/inspector-page.tsx')).InspectorPage,
}));

/** The whole interface: a frame, and in it the page that the address names. */
export function App(): ReactElement {
  const { shell } = useText();
  return (
    <Frame>
      <Suspense fallback={<p className="soft">{shell.loading}</p>}>
        <Switch>
          <Route path="/" component={NewSessionPage} />
          <Route path="/sessions/:key">{({ key }) => <SessionPage key={key} sessionKey={key} />}</Route>
          <Route path="/sessions/:key/inspector">
            {({ key }) => <InspectorPage key={key} sessionKey={key} />}
          </Route>
          <Route path="/inbox" component={InboxPage} />
          <Route path="/agents" component={AgentsPage} />
          <Route>{shell.notFound}</Route>
        </Switch>
      </Suspense>
    </Frame>
  );
}
