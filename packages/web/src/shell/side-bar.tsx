import { Bot, Command, Eye, GitBranch, Inbox, Keyboard, Plus, Search, Settings } from 'lucide-react';
import { type ReactElement, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { useHub } from '../hub/use-hub.ts';
import { later } from '../parts/later.tsx';
import { useFirstText } from '../text/language.tsx';
import { PageBoundary } from './page-boundary.tsx';

const SessionList = later(async () => (await import('../sessions/session-list.tsx')).SessionList);

/** What of the bar opens over the page. */
export interface SideBarProps {
  readonly onShortcuts: () => void;
  readonly onPalette: () => void;
}

/** Where one can go: the pages, and the sessions. */
export function SideBar({ onShortcuts, onPalette }: SideBarProps): ReactElement {
  const { shell } = useFirstText();
  const { questions, isObserver } = useHub();
  return (
    <>
      <Logo />
      <nav className="side-nav" aria-label={shell.navigation}>
        {isObserver ? (
          <p className="side-observer soft small">
            <Eye aria-hidden size={18} />
            {shell.observer}
          </p>
        ) : (
          <Link href="/" className="button side-new">
            <Plus aria-hidden size={18} />
            {shell.newSession}
          </Link>
        )}
        <ul>
          <Place href="/inbox" icon={<Inbox aria-hidden size={18} />}>
            {shell.inbox}
            {questions.length > 0 && (
              <span className="count" aria-label={shell.waitingQuestions(questions.length)}>
                {questions.length}
              </span>
            )}
          </Place>
          <Place href="/search" icon={<Search aria-hidden size={18} />}>
            {shell.search}
          </Place>
          <Place href="/agents" icon={<Bot aria-hidden size={18} />}>
            {shell.agents}
          </Place>
          <Place href="/worktrees" icon={<GitBranch aria-hidden size={18} />}>
            {shell.worktrees}
          </Place>
        </ul>
      </nav>
      <div className="side-sessions">
        <PageBoundary isPart>
          <SessionList />
        </PageBoundary>
      </div>
      <div className="side-foot">
        <Link href="/settings" className="side-place">
          <Settings aria-hidden size={18} />
          {shell.settings}
        </Link>
        <button
          type="button"
          className="button button-plain button-icon"
          title={shell.palette}
          aria-keyshortcuts="Control+K Meta+K"
          onClick={onPalette}
        >
          <Command aria-hidden size={18} />
          <span className="visually-hidden">{shell.palette}</span>
        </button>
        <button
          type="button"
          className="button button-plain button-icon side-shortcuts"
          title={shell.shortcuts}
          onClick={onShortcuts}
        >
          <Keyboard aria-hidden size={18} />
          <span className="visually-hidden">{shell.shortcuts}</span>
        </button>
      </div>
    </>
  );
}

/** Our sign, and our name. */
function Logo(): ReactElement {
  return (
    <p className="side-logo">
      <img src="/favicon.svg" width={24} height={24} alt="" />
      Parley
    </p>
  );
}

function Place({
  href,
  icon,
  children,
}: {
  readonly href: string;
  readonly icon: ReactNode;
  readonly children: ReactNode;
}): ReactElement {
  const [path] = useLocation();
  return (
    <li>
      <Link href={href} className="side-place" aria-current={path === href ? 'page' : undefined}>
        {icon}
        {children}
      </Link>
    </li>
  );
}
