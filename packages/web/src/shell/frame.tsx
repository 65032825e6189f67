import type { ReactElement, ReactNode } from 'react';
import { Link } from 'wouter';
import { useDesk } from '../desk/use-desk.ts';
import { SessionList } from '../sessions/session-list.tsx';
import { useText } from '../text/language.tsx';
import { Appearance } from './appearance.tsx';
import './frame.css';

/** What is around every page: where one is, where one can go, and how the connection is. */
export function Frame({ children }: { readonly children: ReactNode }): ReactElement {
  const { shell } = useText();
  const { questions, connection } = useDesk();
  return (
    <div className="frame">
      <a className="frame-skip" href="#content">
        {shell.skipToContent}
      </a>
      <nav className="frame-nav" aria-label={shell.sessions}>
        <Link href="/" className="button button-primary">
          {shell.newSession}
        </Link>
        <Link href="/inbox">
          {shell.inbox} {questions.length > 0 && <span className="frame-count">{questions.length}</span>}
        </Link>
        <Link href="/agents">{shell.agents}</Link>
        <SessionList />
        <Appearance />
      </nav>
      <main className="frame-main" id="content" tabIndex={-1}>
        {connection.state !== 'open' && <output>{shell.connecting}</output>}
        {children}
      </main>
    </div>
  );
}
