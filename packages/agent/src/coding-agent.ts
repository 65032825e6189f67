import type { Implementation } from '@parley/acp';
import { createAgent } from '@parley/acp/unstable';
import type { Agent, AgentCapabilities, AgentConnection } from '@parley/acp/unstable';
import type { ConfiguredRule } from '@parley/workspace/rule';
import { Conversations } from './conversation/conversations.ts';
import type { ResumeDirective } from './conversation/resume-once.ts';
import { steer, steeringMeta, steeringMethod } from './conversation/steer.ts';
import { acceptFlatOutcomes, type Dialect } from './dialect.ts';
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
import { ConnectionTurns } from './turn/connection-turns.ts';

/** Options of a coding agent. */
export interface CodingAgentOptions {
  /** The model of each session. @default the embedded offline model */
  readonly model?: Model;
  /** The models of each session, in place of `model`. @default `model` alone */
  readonly models?: Models;
  /** @default {@link defaultLimits} */
  readonly limits?: Partial<AgentLimits>;
  /**
   * Responds with the error codes of source document 001 where they differ from the protocol's, and accepts what only
   * its program accepts. @default the protocol's
   */
  readonly dialect?: Dialect;
  /**
   * Returns the rules for a session's directory, which apply in addition to its mode. If it rejects, opening the
   * session fails.
   *
   * @default none
   */
  readonly rules?: (cwd: string) => Promise<readonly ConfiguredRule[]>;
  /** How the agent identifies itself. @default Parley, with the version of this package */
  readonly info?: Implementation;
  /** The first session of each connection resumes a stored session, if it exists. @default none */
  readonly resume?: ResumeDirective;
}

/**
 * Creates Parley's coding agent for a machine. Each connection has its own sessions. A connection is closed when its
 * turns, their commands and the MCP servers have ended too.
 */
export function createCodingAgent(environment: Environment, options: CodingAgentOptions = {}): Agent {
  const { dialect, resume, rules, info = { name: 'parley', title: 'Parley', version: '0.1.0' } } = options;
  const models = options.models ?? singleModel(options.model ?? createOfflineModel(environment.clock));
  const limits = { ...defaultLimits, ...options.limits };
  return {
    connect: (transport, connectOptions) => {
      const turns = new ConnectionTurns();
      const servers = new OpenServers();
      const conversations = new Conversations({
        environment,
        limits,
        models,
        servers,
        ...(rules !== undefined && { rules }),
      });
      const agent = createAgent({
        info,
        capabilities: {
          ...toCapabilities(environment),
          ...(models.providers !== undefined && { providers: {} }),
        },
        handlers: createHandlers({
          environment,
          limits,
          turns,
          conversations,
          client: () => connection.client,
          ...(models.providers !== undefined && { providers: models.providers }),
          ...(resume !== undefined && { resume }),
          ...(dialect !== undefined && { dialect }),
        }),
        extensions: {
          ...agentaoExtensions(conversations, dialect),
          ...legacyMethods(conversations, dialect),
          [steeringMethod]: { handle: (raw) => steer(raw, conversations, limits) },
        },
        meta: { '_agentao.cn/extensions': extensionList, ...(dialect === undefined && steeringMeta) },
        ...(dialect === 'agentao' ? { notInitializedCode: agentaoCodes.notInitialized } : {}),
      });
      const connection =
        dialect === 'agentao'
          ? agent.connect(acceptFlatOutcomes(transport), { ...connectOptions, echoInvalidIds: true })
          : agent.connect(transport, connectOptions);
      return closedInOrder(connection, { turns, servers, conversations });
    },
  };
}

/** Source document 001, C.12. */
const agentaoCodes = { notInitialized: -32002 } as const;

/** The capabilities of the agent. Those for stored sessions are only declared if sessions are stored. */
function toCapabilities({ conversations }: Environment): AgentCapabilities {
  return {
    ...(conversations !== undefined && { loadSession: true }),
    promptCapabilities: { image: true, audio: false, embeddedContext: true },
    mcpCapabilities: { http: true, sse: true },
    sessionCapabilities: {
      close: {},
      additionalDirectories: {},
      ...(conversations !== undefined && {
        list: {},
        resume: {},
        delete: {},
        fork: {},
        archive: {},
        status: {},
        title: {},
      }),
    },
    auth: { status: {} },
    _meta: { [rejectReasonMeta]: true },
  };
}

/** Tasks that have to finish when a connection closes. */
interface Ending {
  readonly turns: ConnectionTurns;
  readonly servers: OpenServers;
  readonly conversations: Conversations;
}

function closedInOrder(
  connection: AgentConnection,
  { turns, servers, conversations }: Ending,
): AgentConnection {
  const endProcesses = async (): Promise<void> => {
    await Promise.all([servers.closeAll(), conversations.endJobs()]);
  };
  connection.signal.addEventListener('abort', () => void endProcesses(), { once: true });
  const closed = connection.closed.then(async (reason) => {
    await Promise.all([turns.ended(), endProcesses()]);
    // Last: what the turns did is saved.
    await conversations.closeAll();
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
