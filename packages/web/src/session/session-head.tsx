import type { DeskSession } from '@parley/host/desk';
import type { View } from '@parley/host/view';
import type { ReactElement } from 'react';

/** What the head of a session shows. */
export interface SessionHeadProps {
  readonly sessionKey: string;
  readonly session: DeskSession | undefined;
  readonly view: View;
}

/** What the session is called, with whom it is, and what can be done with it as a whole. */
export function SessionHead({ session, view }: SessionHeadProps): ReactElement {
  return (
    <header>
      <h1>{session?.title ?? view.title ?? view.agent?.name ?? ''}</h1>
      <p className="soft small">{view.cwd}</p>
    </header>
  );
}
