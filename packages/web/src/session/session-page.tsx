import type { ReactElement } from 'react';
import { Conversation } from '../conversation/conversation.tsx';
import { SessionProgress } from '../conversation/session-progress.tsx';
import { QuestionStack } from '../decide/question-stack.tsx';
import { useDeskSession, useSessionFeed } from '../desk/use-desk.ts';
import { PromptBox } from '../prompt/prompt-box.tsx';
import { SessionHead } from './session-head.tsx';
import './session-page.css';

/** One session: its head, what happened, what waits, and where the next prompt is written. */
export function SessionPage({ sessionKey }: { readonly sessionKey: string }): ReactElement {
  const session = useDeskSession(sessionKey);
  const feed = useSessionFeed(sessionKey);
  return (
    <article className="session-page">
      <SessionHead sessionKey={sessionKey} session={session} view={feed.view} />
      <Conversation sessionKey={sessionKey} feed={feed} />
      <SessionProgress view={feed.view} />
      <QuestionStack sessionKey={sessionKey} view={feed.view} />
      <PromptBox sessionKey={sessionKey} session={session} view={feed.view} />
    </article>
  );
}
