import { useEffect } from 'react';
import { useHub } from '../hub/use-hub.ts';
import { useFirstText } from '../text/language.tsx';
import { documentTitle } from './document-title.ts';

/** Keeps the title of the window: which page is shown, and how many questions wait. */
export function useDocumentTitle(path: string): void {
  const { shell, sessions: text } = useFirstText();
  const { questions, sessions } = useHub();
  const [, first = '', second = ''] = path.split('/');
  const titles: Readonly<Record<string, string>> = {
    inbox: shell.inbox,
    agents: shell.agents,
    settings: shell.settings,
    search: shell.search,
    worktrees: shell.worktrees,
    '': shell.newSession,
  };
  const session = first === 'sessions' ? sessions.get(decoded(second)) : undefined;
  const page = session === undefined ? titles[first] : (session.title ?? text.untitled);
  const title = documentTitle(page, questions.length);
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** A typed URL may be malformed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
