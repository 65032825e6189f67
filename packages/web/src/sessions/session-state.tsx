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
import './session-state.css';

/** Which session, and whether whoever looks may do no more than that. */
export interface SessionStateProps {
  readonly session: Pick<HubSession, 'state' | 'waitsBehind'>;
  readonly isObserver: boolean;
}

/** Where a session stands, as a sign and in words. */
export function SessionState({ session, isObserver }: SessionStateProps): ReactElement {
  const { sessions } = useFirstText();
  const { state, waitsBehind } = session;
  return (
    <span className={`session-state session-state-${state}`}>
      <Sign state={state} />
      {waitsBehind !== undefined
        ? sessions.waitsForPlace
        : isObserver && state === 'waiting'
          ? sessions.waitsForAnswer
          : sessions.states[state]}
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
