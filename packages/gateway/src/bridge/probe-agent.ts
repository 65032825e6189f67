import type { AgentCapabilities, Implementation } from '@parley/acp';
import {
  redactError,
  redactInfo,
  Redaction,
  redactSettings,
  type AgentConnection,
  type AgentSession,
  type Settings,
} from '@parley/host';
import { startAgentProcess, type AgentListener } from './agent-process.ts';
import type { BridgeOptions } from './bridge-options.ts';
import { secretsOf, type LaunchPlan } from './launch-plan.ts';
import { leaveSession } from './leave-session.ts';
import { settingsOf } from './option-values.ts';

/** What is known of an agent that was seen running. */
export interface AgentFindings {
  readonly info?: Implementation;
  readonly capabilities: AgentCapabilities;
  readonly settings: Settings;
}

/**
 * Finds out what an agent offers, in a session of its own that is deleted, or at least closed, where the agent can.
 *
 * @throws {HostError} It could not be started, or opened no session.
 */
export async function probeAgent(
  bridge: BridgeOptions,
  plan: LaunchPlan,
  signal: AbortSignal,
): Promise<AgentFindings> {
  const { eventLogs: _eventLogs, ...unkept } = bridge;
  const secrets = secretsOf(bridge, {});
  try {
    await using process = await startAgentProcess(unkept, { plan, secrets, listener: silent, signal });
    const { handle } = process;
    const session = await handle.openSession({ cwd: plan.cwd, signal });
    const findings = toFindings(handle, session, process.redaction);
    await leaveSession(handle, session, signal);
    return findings;
  } catch (error) {
    throw redactError(error, new Redaction(secrets));
  }
}

/** What an agent offers in a session that is open. */
export function toFindings(
  handle: AgentConnection,
  session: AgentSession,
  redaction: Redaction,
): AgentFindings {
  const { info, capabilities } = handle;
  return {
    ...(info !== undefined && { info: redactInfo(info, redaction) }),
    capabilities,
    settings: redactSettings(settingsOf(session), redaction),
  };
}

const silent: AgentListener = {
  update: () => undefined,
  stores: () => false,
  flush: () => undefined,
  permission: () => Promise.resolve({ kind: 'cancel' }),
  elicitation: () => Promise.resolve({ action: 'cancel' }),
  callTool: () => Promise.reject(new Error('the agent is only looked at')),
};
