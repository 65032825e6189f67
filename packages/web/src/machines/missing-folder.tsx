import { FolderX } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { Link } from 'wouter';
import { useText } from '../text/language.tsx';
import { useSessionMachines } from './use-session-machines.ts';

/** Says that no machine has the folder of a session, and what to do; else what is given. */
export function MissingFolder({
  sessionKey,
  children,
}: {
  readonly sessionKey: string;
  readonly children: ReactNode;
}): ReactElement {
  const { machines: text, session } = useText();
  const able = useSessionMachines(sessionKey, true);
  if (able === undefined || able.machines.length > 0) return <>{children}</>;
  return (
    <section className="session-notice" aria-label={session.state}>
      <FolderX aria-hidden size={18} />
      <div>
        <p>
          <strong>{text.noFolder(able.folder)}</strong>
        </p>
        <p>{text.noFolderHelp}</p>
      </div>
      <Link className="button" href="/machines">
        {text.title}
      </Link>
    </section>
  );
}
