import { useState, type ReactElement } from 'react';
import { Link } from 'wouter';
import { useChangesAddress } from '../changes/changes-address.ts';
import { Conversation } from '../conversation/conversation.tsx';
import { SessionProgress } from '../conversation/progress/session-progress.tsx';
import { useHub, useSessionFeed } from '../hub/use-hub.ts';
import { QuestionStack } from '../inbox/question-stack.tsx';
import { later } from '../parts/later.tsx';
import { PromptBox } from '../prompt/prompt-box.tsx';
import { useSubagentAddress } from '../subagents/subagent-address.ts';
import { useText } from '../text/language.tsx';
import { SessionHead } from './session-head.tsx';
import { SessionNotice } from './session-notice.tsx';
import './session-page.css';

const ChangesPanel = later(async () => (await import('../changes/changes-panel.tsx')).ChangesPanel);

const SubagentTree = later(async () => (await import('../subagents/subagent-tree.tsx')).SubagentTree);

const SubagentConversation = later(
  async () => (await import('../subagents/subagent-conversation.tsx')).SubagentConversation,
);

/** A session: its header, conversation, open questions and prompt box. */
export function SessionPage({ sessionKey }: { readonly sessionKey: string }): ReactElement {
  const { session: text, shell } = useText();
  const { sessions, isKnown } = useHub();
  const session = sessions.get(sessionKey);
  const feed = useSessionFeed(sessionKey);
  const address = useChangesAddress();
  const subagent = useSubagentAddress();
  const [sent, setSent] = useState(0);
  const hasTree = feed.view.subagents.length > 0 && !address.isOpen;
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
      <div className={address.isOpen ? 'session-halves' : hasTree ? 'session-tree' : 'session-whole'}>
        <div className="session-main">
          {session !== undefined && <SessionNotice session={session} feed={feed} />}
          {subagent === undefined ? (
            <Conversation sessionKey={sessionKey} feed={feed} sent={sent} />
          ) : (
            <SubagentConversation
              waiting={<p className="conversation soft">{shell.loading}</p>}
              sessionKey={sessionKey}
              feed={feed}
              subagent={subagent}
            />
          )}
          <SessionProgress view={feed.view} isApplication={session?.origin === 'aap'} />
          <QuestionStack sessionKey={sessionKey} view={feed.view} />
          <PromptBox
            sessionKey={sessionKey}
            session={session}
            view={feed.view}
            onTurn={() => {
              setSent(sent + 1);
            }}
          />
        </div>
        {hasTree && (
          <SubagentTree
            waiting={<p className="soft">{shell.loading}</p>}
            sessionKey={sessionKey}
            view={feed.view}
            opened={subagent}
          />
        )}
        {address.isOpen && (
          <ChangesPanel
            waiting={<p className="changes-panel soft">{shell.loading}</p>}
            sessionKey={sessionKey}
            session={session}
            feed={feed}
            address={address}
          />
        )}
      </div>
    </article>
  );
}
