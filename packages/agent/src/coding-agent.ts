import type { Implementation } from '@parley/acp';
import { createAgent } from '@parley/acp/unstable';
import type { Agent, AgentCapabilities, AgentConnection } from '@parley/acp/unstable';
import type { ConfiguredRule } from '@parley/workspace/rule';
import type { Dialect } from './dialect.ts';
import type { Environment } from './environment.ts';
import { agentaoExtensions, extensionList, legacyMethods } from './extensions.ts';
import { createHandlers } from './handlers.ts';
import { defaultLimits } from './limits.ts';
import type { AgentLimits } from './limits.ts';
import { OpenServers } from './mcp/open-servers.ts';
import type { Model } from './model/model.ts';
import { singleModel } from './model/models.ts';
import type { Models } from './model/models.ts';
import { createOfflineModel } from './model/offline/offline-model.ts';
import { rejectReasonMeta } from './permission/permission-options.ts';
import type { ResumeDirective } from './session/resume-once.ts';
import { Sessions } from './session/sessions.ts';
import { RunningTurns } from './turn/running-turns.ts';

/** How a coding agent differs from the usual one. */
export interface CodingAgentOptions {
  /** What thinks. @default the embedded offline model */
  readonly model?: Model;
  /** What can think, for each session, in place of `model`. @default `model` alone */
  readonly models?: Models;
  /** @default {@link defaultLimits} */
  readonly limits?: Partial<AgentLimits>;
  /** Answers with the codes of source document 001 where they differ from the protocol's. @default the protocol's */
  readonly dialect?: Dialect;
  /**
   * The rules that hold in a session's directory, beside its mode; when it fails, so does opening the session.
   *
   * @default none
   */
  readonly rules?: (cwd: string) => Promise<readonly ConfiguredRule[]>;
  /** What the agent says it is. @default Parley, with the version of this package */
  readonly info?: Implementation;
  /** The first session of each connection goes on with one that is kept, if there is such a one. @default none */
  readonly resume?: ResumeDirective;
}

/**
 * Makes our coding agent for a machine; each connection has sessions of its own. A connection counts as closed when
 * its turns have come to an end too, and with them the commands they ran and the MCP servers.
 */
export function createCodingAgent(environment: Environment, options: CodingAgentOptions = {}): Agent {
  const { dialect, resume, rules, info = { name: 'parley', title: 'Parley', version: '0.1.0' } } = options;
  const models = options.models ?? singleModel(options.model ?? createOfflineModel(environment.clock));
  const limits = { ...defaultLimits, ...options.limits };
  return {
    connect: (transport, connectOptions) => {
      const turns = new RunningTurns();
      const servers = new OpenServers();
      const sessions = new Sessions({
        environment,
        limits,
        models,
        servers,
        ...(rules !== undefined && { rules }),
      });
      const agent = createAgent({
        info,
        capabilities: toCapabilities(environment),
        handlers: createHandlers({
          environment,
          limits,
          turns,
          sessions,
          client: () => connection.client,
          ...(resume !== undefined && { resume }),
          ...(dialect !== undefined && { dialect }),
        }),
        extensions: { ...agentaoExtensions(sessions, dialect), ...legacyMethods(sessions, dialect) },
        meta: { '_agentao.cn/extensions': extensionList },
        ...(dialect === 'agentao' ? { notInitializedCode: agentaoCodes.notInitialized } : {}),
      });
      const connection = agent.connect(transport, connectOptions);
      return closedInOrder(connection, { turns, servers, sessions });
    },
  };
}

/** Source document 001, C.12. */
const agentaoCodes = { notInitialized: -32002 } as const;

/** What needs a place for sessions is declared only where there is one. */
function toCapabilities({ sessions }: Environment): AgentCapabilities {
  return {
    ...(sessions !== undefined && { loadSession: true }),
    promptCapabilities: { image: true, audio: false, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: {
      close: {},
      additionalDirectories: {},
      ...(sessions !== undefined && { list: {}, resume: {}, delete: {}, fork: {} }),
    },
    _meta: { [rejectReasonMeta]: true },
  };
}

/** What has to come to its end with a connection. */
interface Ending {
  readonly turns: RunningTurns;
  readonly servers: OpenServers;
  readonly sessions: Sessions;
}

function closedInOrder(connection: AgentConnection, { turns, servers, sessions }: Ending): AgentConnection {
  const endProcesses = async (): Promise<void> => {
    await Promise.all([servers.closeAll(), sessions.endJobs()]);
  };
  connection.signal.addEventListener('abort', () => void endProcesses(), { once: true });
  const closed = connection.closed.then(async (reason) => {
    await Promise.all([turns.ended(), endProcesses()]);
    // Last: what the turns did is saved.
    await sessions.closeAll();
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
