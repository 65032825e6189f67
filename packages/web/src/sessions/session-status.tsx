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
  /**
   * Whether to show only an icon, with text for screen readers and in its tooltip; idle and paused sessions have
   * none.
   */
  readonly isShort?: boolean;
}

/** The state of a session, as an icon and in words. */
export function SessionStatus({ session, isObserver, isShort = false }: SessionStatusProps): ReactElement {
  const { sessions } = useFirstText();
  const { state, waitsBehind, origin } = session;
  const words =
    waitsBehind !== undefined
      ? sessions.waitsForPlace
      : state !== 'waiting'
        ? sessions.states[state]
        : origin === 'aap'
          ? sessions.waitsForApplication
          : isObserver
            ? sessions.waitsForAnswer
            : sessions.states.waiting;
  const isQuiet = isShort && (state === 'kept' || state === 'ready');
  return (
    <span className={`session-state session-state-${state}`} title={isShort ? words : undefined}>
      {!isQuiet && <Sign state={state} />}
      <span className={isShort ? 'visually-hidden' : undefined}>{words}</span>
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
