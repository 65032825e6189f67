import { createAgent } from '@parley/acp';
import type { Agent, AgentConnection, Implementation } from '@parley/acp';
import type { Environment } from './environment.ts';
import { createHandlers } from './handlers.ts';
import { defaultLimits } from './limits.ts';
import type { AgentLimits } from './limits.ts';
import type { Model } from './model/model.ts';
import { createOfflineModel } from './model/offline/offline-model.ts';
import { RunningTurns } from './turn/running-turns.ts';

/** How a coding agent differs from the usual one. */
export interface CodingAgentOptions {
  /** What thinks. @default the embedded offline model */
  readonly model?: Model;
  /** @default {@link defaultLimits} */
  readonly limits?: Partial<AgentLimits>;
  /** Answers with the codes of source document 001 where they differ from the protocol's. @default the protocol's */
  readonly dialect?: 'agentao';
  /** What the agent says it is. @default Parley, with the version of this package */
  readonly info?: Implementation;
}

/**
 * Makes our coding agent for a machine; each connection has sessions of its own. A connection counts as closed when
 * its turns have come to an end too, and with them the commands they ran.
 */
export function createCodingAgent(environment: Environment, options: CodingAgentOptions = {}): Agent {
  const { dialect, info = { name: 'parley', title: 'Parley', version: '0.1.0' } } = options;
  const model = options.model ?? createOfflineModel(environment.clock);
  const limits = { ...defaultLimits, ...options.limits };
  return {
    connect: (transport, connectOptions) => {
      const turns = new RunningTurns();
      const agent = createAgent({
        info,
        capabilities: { sessionCapabilities: { close: {}, additionalDirectories: {} } },
        handlers: createHandlers({ environment, model, limits, turns }),
        ...(dialect === 'agentao' ? { notInitializedCode: agentaoCodes.notInitialized } : {}),
      });
      return closedWithTurns(agent.connect(transport, connectOptions), turns);
    },
  };
}

/** Source document 001, C.12. */
const agentaoCodes = { notInitialized: -32002 } as const;

function closedWithTurns(connection: AgentConnection, turns: RunningTurns): AgentConnection {
  const closed = connection.closed.then(async (reason) => {
    await turns.ended();
    return reason;
  });
  const close = async (): Promise<void> => {
    await connection.close();
    await closed;
  };
  return {
    client: connection.client,
    signal: connection.signal,
    closed,
    close,
    [Symbol.asyncDispose]: close,
  };
}
