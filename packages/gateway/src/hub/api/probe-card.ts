import {
  commandsOf,
  HostError,
  probeAgent,
  redactInfo,
  redactSettings,
  toSignInMethods,
  type AgentConnection,
  type AgentProbe,
  type AgentSpec,
  type Redaction,
  TextTail,
  type TypedVariables,
} from '@parley/host';
import type { AgentCard } from '@parley/host/hub';
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
export async function probeCard(
  spec: AgentSpec,
  { hub, limits: { logLength, probeMs }, variables, signal: until, onAgent }: ProbeOptions,
): Promise<Probe> {
  const time = Date.now();
  const begun = performance.now();
  const timeout = AbortSignal.timeout(probeMs);
  const signal = AbortSignal.any([until, timeout]);
  const { redaction } = variables;
  const log = new TextTail(logLength);
  const msSinceBegun = (): number => Math.round(performance.now() - begun);
  const common = (): Pick<AgentCard, 'time' | 'log'> => ({ time, log: redaction.text(log.text) });
  try {
    await using folder = await openPassingFolder(spec, hub.workspaces);
    let startMs = 0;
    const { agent, opened } = await probeAgent(
      spec,
      { cwd: folder.path, env: variables.values },
      {
        clientInfo: hub.info,
        serves: { signInTerminal: true },
        startTimeoutMs: probeMs,
        signal,
        onAgent: (connection) => {
          startMs = msSinceBegun();
          onAgent(connection);
        },
        onEvent: (event) => {
          if (event.type === 'stderr') log.add(event.text);
        },
      },
    );
    const card = { ...common(), startMs, ...aboutAgent(agent, spec, redaction) };
    if ('settings' in opened) {
      const { modes, configOptions } = redactSettings(opened.settings, redaction);
      const settings = { ...(modes && { modes }), ...(configOptions && { configOptions }) };
      return { card: { ...card, ...settings }, isSignInNeeded: false };
    }
    const isSignInNeeded = wantsSignIn(opened.failure);
    const failure = { failure: redaction.text(messageOf(opened.failure)) };
    return { card: { ...card, ...(!isSignInNeeded && failure) }, isSignInNeeded };
  } catch (error) {
    const failure = timeout.aborted ? `it took longer than ${String(probeMs / 1000)} s` : messageOf(error);
    return {
      card: { ...common(), startMs: msSinceBegun(), signInMethods: [], failure: redaction.text(failure) },
      isSignInNeeded: wantsSignIn(error),
    };
  }
}

function aboutAgent(
  { info, protocolVersion, capabilities, authMethods }: AgentProbe['agent'],
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

function wantsSignIn(error: unknown): boolean {
  return error instanceof HostError && error.code === 'auth-required';
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
