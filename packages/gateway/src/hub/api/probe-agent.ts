import {
  commandsOf,
  HostError,
  launchAgent,
  redactInfo,
  redactSettings,
  toSignInMethods,
  type AgentConnection,
  type Redaction,
  type AgentSession,
  type AgentSpec,
  TextTail,
  type TypedVariables,
} from '@parley/host';
import type { AgentCard } from '@parley/host/hub';
import { leaveSession } from '../../bridge/leave-session.ts';
import type { HubLimits } from '../../limits.ts';
import type { HubOptions } from '../hub-options.ts';
import { openPassingFolder } from '../passing-folder.ts';

/** The result of a probe, and whether the agent requires a sign-in. */
export interface Probe {
  readonly card: AgentCard;
  readonly isSignInNeeded: boolean;
}

/** What a look at an agent needs. */
export interface ProbeOptions {
  readonly hub: HubOptions;
  readonly limits: HubLimits;
  /** What users typed for it. */
  readonly variables: TypedVariables;
  /** Gives it up. */
  readonly signal: AbortSignal;
  /** It runs. */
  readonly onAgent: (agent: AgentConnection) => void;
}

/** Starts an agent and opens a session, to see what it offers; no user is asked, and nothing is allowed. Never rejects. */
export async function probeAgent(
  spec: AgentSpec,
  { hub, limits: { logLength, probeMs }, variables, signal: until, onAgent }: ProbeOptions,
): Promise<Probe> {
  const time = Date.now();
  const begun = performance.now();
  const timeout = AbortSignal.timeout(probeMs);
  const signal = AbortSignal.any([until, timeout]);
  const { redaction } = variables;
  const log = new TextTail(logLength);
  const common = (): Pick<AgentCard, 'time' | 'startMs' | 'log'> => ({
    time,
    startMs: Math.round(performance.now() - begun),
    log: redaction.text(log.text),
  });
  try {
    await using folder = await openPassingFolder(spec, hub.workspaces);
    const { path: cwd } = folder;
    await using connection = await launchAgent(
      spec,
      { cwd, env: variables.values },
      {
        clientInfo: hub.info,
        policy: { approve: { level: 'none', given: true }, rules: [] },
        serves: { signInTerminal: true },
        startTimeoutMs: probeMs,
        signal,
        onEvent: (event) => {
          if (event.type === 'stderr') log.add(event.text);
        },
      },
    );
    onAgent(connection);
    const started = { ...common(), ...aboutAgent(connection, spec, redaction) };
    try {
      const session = await connection.openSession({ cwd, signal });
      const settings = settingsOf(session, redaction);
      await leaveSession(connection, session, signal);
      return { card: { ...started, ...settings, log: common().log }, isSignInNeeded: false };
    } catch (error) {
      const isSignInNeeded = error instanceof HostError && error.code === 'auth-required';
      const failure = { failure: redaction.text(messageOf(error)) };
      return { card: { ...started, ...(!isSignInNeeded && failure), log: common().log }, isSignInNeeded };
    }
  } catch (error) {
    const failure = timeout.aborted ? `it took longer than ${String(probeMs / 1000)} s` : messageOf(error);
    return {
      card: { ...common(), signInMethods: [], failure: redaction.text(failure) },
      isSignInNeeded: error instanceof HostError && error.code === 'auth-required',
    };
  }
}

function aboutAgent(
  { info, protocolVersion, capabilities, authMethods }: AgentConnection,
  spec: AgentSpec,
  redaction: Redaction,
): Pick<AgentCard, 'info' | 'protocolVersion' | 'capabilities' | 'signInMethods' | 'signInCommands'> {
  const signInMethods = toSignInMethods(authMethods);
  return {
    ...(info !== undefined && { info: redactInfo(info, redaction) }),
    protocolVersion,
    capabilities,
    signInMethods,
    signInCommands: commandsOf(spec, signInMethods),
  };
}

function settingsOf(
  { modes, configOptions }: AgentSession,
  redaction: Redaction,
): Pick<AgentCard, 'modes' | 'configOptions'> {
  return redactSettings(
    { ...(modes !== undefined && { modes }), ...(configOptions !== undefined && { configOptions }) },
    redaction,
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
