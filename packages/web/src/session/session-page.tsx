import { lazy, Suspense, type ReactElement } from 'react';
import { Link } from 'wouter';
import { useChangesAddress } from '../changes/changes-address.ts';
import { Conversation } from '../conversation/conversation.tsx';
import { SessionProgress } from '../conversation/progress/session-progress.tsx';
import { useHub, useSessionFeed } from '../hub/use-hub.ts';
import { QuestionStack } from '../inbox/question-stack.tsx';
import { PromptBox } from '../prompt/prompt-box.tsx';
import { useText } from '../text/language.tsx';
import { SessionHead } from './session-head.tsx';
import { SessionNotice } from './session-notice.tsx';
import './session-page.css';

const ChangesPanel = lazy(async () => ({
  default: (await import('../changes/changes-panel.tsx')).ChangesPanel,
}));

/** One session: its head, what happened, what waits, and where the next prompt is written. */
export function SessionPage({ sessionKey }: { readonly sessionKey: string }): ReactElement {
  const { session: text, shell } = useText();
  const { sessions, isKnown } = useHub();
  const session = sessions.get(sessionKey);
  const feed = useSessionFeed(sessionKey);
  const address = useChangesAddress();
  if (isKnown && session === undefined) {
    return (
      <section className="page">
        <h1>{text.gone}</h1>
        <p>{text.goneHelp}</p>
        <p>
          <Link href="/">{text.beginAnother}</Link>
        </p>
      </section>
    );
  }
  return (
    <article className="session-page">
      <SessionHead sessionKey={sessionKey} session={session} view={feed.view} />
      <div className={address.isOpen ? 'session-halves' : 'session-whole'}>
        <div className="session-main">
          {session !== undefined && <SessionNotice session={session} feed={feed} />}
          <Conversation sessionKey={sessionKey} feed={feed} />
          <SessionProgress view={feed.view} isApplication={session?.origin === 'aap'} />
          <QuestionStack sessionKey={sessionKey} view={feed.view} />
          <PromptBox sessionKey={sessionKey} session={session} view={feed.view} />
        </div>
        {address.isOpen && (
          <Suspense fallback={<p className="changes-panel soft">{shell.loading}</p>}>
            <ChangesPanel sessionKey={sessionKey} session={session} feed={feed} address={address} />
          </Suspense>
        )}
      </div>
    </article>
  );
}
