import type { HubSession, HubSessionState } from '@parley/host/hub';
import {
  Circle,
  CircleAlert,
  CircleDot,
  CircleQuestionMark,
  CircleStop,
  LoaderCircle,
  SquareTerminal,
} from 'lucide-react';
import type { ReactElement } from 'react';
import { useFirstText } from '../text/language.tsx';
import './session-status.css';

/** Which session, and whether our token is read-only. */
export interface SessionStatusProps {
  readonly session: Pick<HubSession, 'state' | 'waitsBehind' | 'origin'>;
  readonly isObserver: boolean;
}

/** Where a session stands, as a sign and in words. */
export function SessionStatus({ session, isObserver }: SessionStatusProps): ReactElement {
  const { sessions } = useFirstText();
  const { state, waitsBehind, origin } = session;
  return (
    <span className={`session-state session-state-${state}`}>
      <Sign state={state} />
      {waitsBehind !== undefined
        ? sessions.waitsForPlace
        : state !== 'waiting'
          ? sessions.states[state]
          : origin === 'aap'
            ? sessions.waitsForApplication
            : isObserver
              ? sessions.waitsForAnswer
              : sessions.states.waiting}
    </span>
  );
}

function Sign({ state }: { readonly state: HubSessionState }): ReactElement {
  const shape = { 'aria-hidden': true, size: 14 } as const;
  switch (state) {
    case 'kept':
      return <Circle {...shape} />;
    case 'elsewhere':
      return <SquareTerminal {...shape} />;
    case 'ready':
      return <CircleDot {...shape} />;
    case 'starting':
    case 'running':
      return <LoaderCircle {...shape} className="session-state-turning" />;
    case 'waiting':
      return <CircleQuestionMark {...shape} />;
    case 'stopping':
      return <CircleStop {...shape} />;
    case 'failed':
      return <CircleAlert {...shape} />;
  }
}
