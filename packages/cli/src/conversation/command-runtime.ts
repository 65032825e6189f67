import {
  SharedEventLogs,
  unlimitedPool,
  type AuditLog,
  type Policy,
  type SessionRuntime,
  type SessionStore,
} from '@parley/host';
import { changesSettings } from '../configuration/changes-settings.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { answersFile } from '../configuration/places.ts';
import { createFollowers } from '../permissions/audit-followers.ts';
import { readVersion } from '../version.ts';
import { sandboxFor } from './agent/sandbox-for.ts';
import type { ConversationFlags } from './flags.ts';
import type { PreparedConversation } from './prepare-conversation.ts';
import { traceIn } from './trace.ts';

/** Where sessions of a command are stored, and who takes part. */
export interface CommandRuntimeOptions {
  readonly store: SessionStore;
  /** Receives the decisions about permissions. */
  readonly audit: AuditLog;
  /** Whether a user can be asked. */
  readonly hasUser: boolean;
  /** Whether an agent that ends unexpectedly is restarted, and its session resumed. */
  readonly isKeptAlive: boolean;
}

/** What the sessions of a command have in common. */
export function createCommandRuntime(
  { flags, configuration, env }: PreparedConversation,
  { store, audit, hasUser, isKeptAlive }: CommandRuntimeOptions,
): SessionRuntime {
  const { startTimeoutMs, openTimeoutMs, requestTimeoutMs } = configuration;
  const recordDecisions = createFollowers(audit, { client: 'terminal', cwd: flags.cwd });
  const trace = traceIn(env);
  return {
    eventLogs: new SharedEventLogs({ store, program: `parley ${readVersion()}` }),
    answersFile: answersFile(env),
    policyFor: () => toPolicy(flags, configuration, hasUser),
    changesIn: (folder) => changesSettings(configuration, env, { folder }),
    sandboxFor: (wish) => sandboxFor(configuration, env, wish),
    pool: unlimitedPool(),
    info: { name: 'parley', title: 'Parley', version: readVersion() },
    serves: { signInTerminal: hasUser },
    ...(trace !== undefined && { trace }),
    ...(startTimeoutMs !== undefined && { startTimeoutMs }),
    ...(openTimeoutMs !== undefined && { openTimeoutMs }),
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    ...(!isKeptAlive && { restart: { attempts: 0 } }),
    onEvent: (event, { agent, sessionId: key }) => {
      recordDecisions(event, agent, key);
    },
  };
}

/** A given level counts; without one a user is asked, and where there is none, reading is allowed. */
function toPolicy({ approve }: ConversationFlags, { rules }: Configuration, hasUser: boolean): Policy {
  if (approve !== undefined) return { approve: { level: approve, given: true }, rules };
  return { approve: { level: hasUser ? 'ask' : 'reads', given: false }, rules };
}
