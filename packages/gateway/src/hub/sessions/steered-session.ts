import { Session, type FrameLog } from '@parley/host';
import type { HubLimits } from '../../limits.ts';
import type { HubAgents } from '../agents/hub-agents.ts';
import type { ListedAgent } from '../agents/hub-catalogue.ts';
import type { HubListeners } from '../hub-listeners.ts';
import type { HubOptions } from '../hub-options.ts';
import type { SessionBeginning } from './new-session.ts';
import type { SessionClients } from './session-clients.ts';
import type { SessionBasis } from './stored-session.ts';

/** What a session that is steered from here needs of the hub. */
export interface SteeredSessionParts {
  readonly table: {
    readonly agents: HubAgents;
    readonly clients: SessionClients;
    readonly limits: HubLimits;
    readonly options: HubOptions;
  };
  readonly listeners: HubListeners;
  readonly frames: FrameLog;
  readonly beginning: SessionBeginning;
  /** Whether the session is being opened for a client that cannot answer. */
  readonly isUnattended: () => boolean;
  readonly onElsewhere: () => void;
}

/** Creates a session that this process owns, without starting anything. */
export function createSteeredSession(
  agent: ListedAgent,
  basis: SessionBasis,
  { table, listeners, frames, beginning, isUnattended, onElsewhere }: SteeredSessionParts,
): Session {
  const { key } = basis;
  const { agents, clients, limits, options } = table;
  const session: Session = new Session({
    ...basis,
    agent: agent.name,
    ...(agent.spec !== undefined && { spec: agent.spec }),
    runtime: options,
    limits,
    variables: agents.variablesOf(agent),
    frames,
    ...beginning,
    onChange: () => {
      listeners.session(key);
    },
    onQuestions: (settled) => {
      listeners.questions(settled);
    },
    onTerminal: (text) => {
      listeners.terminal(key, text);
    },
    onEvent: (event) => {
      agents.take(agent.name, event);
      return beginning.onEvent?.(event);
    },
    onAuthStatus: (status) => agents.takeAuthStatus(agent.name, status),
    onSignIn: (state) => agents.setSignIn(agent.name, state),
    onLog: (text) => {
      listeners.log(key, text);
    },
    onAgent: (connection) => {
      agents.learn(agent.name, connection);
    },
    clients: clients.of({
      key,
      agentSessionId: () => session.agentSessionId,
      lastEvent: () => session.facts.clientSeq,
    }),
    onElsewhere,
    refuses: (question, isTurnUnattended) => clients.refuses(question, isTurnUnattended || isUnattended()),
  });
  return session;
}
