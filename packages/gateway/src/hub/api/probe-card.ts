import {
  commandsOf,
  HostError,
  probeAgent,
  redactAccounts,
  redactInfo,
  redactProviders,
  redactSettings,
  signInStateOf,
  toSignInMethods,
  type AgentConnection,
  type AgentProbe,
  type AgentSpec,
  type AuthStatus,
  type Redaction,
  TextTail,
  type TypedVariables,
} from '@parley/host';
import type { AgentCard, SignInState } from '@parley/host/hub';
import type { HubLimits } from '../../limits.ts';
import type { HubOptions } from '../hub-options.ts';
import { openPassingFolder } from '../passing-folder.ts';

/** The result of a probe, and whether the user is signed in, as far as it showed. */
export interface Probe {
  readonly card: AgentCard;
  readonly signIn: SignInState;
  /** The accounts that the agent uses, if it reports them. */
  readonly accounts: AuthStatus['accounts'];
}

/** Options of {@link probeCard}. */
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

/**
 * Starts an agent and opens a session to find out what it offers. No user is asked, and all permissions are rejected.
 * Never rejects.
 */
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
  const common = (): Pick<AgentCard, 'time' | 'log'> => ({ time, log: redaction.text(log.text) });
  try {
    await using folder = await openPassingFolder(spec, hub.workspaces);
    const sandbox = await hub.sandboxFor?.({ spec, cwd: folder.path });
    const probed = await probeAgent(
      spec,
      { cwd: folder.path, env: variables.values, ...(sandbox !== undefined && { sandbox }) },
      {
        clientInfo: hub.info,
        serves: { signInTerminal: true },
        startTimeoutMs: probeMs,
        signal,
        onAgent,
        onEvent: (event) => {
          if (event.type === 'stderr') log.add(event.text);
        },
      },
    );
    const { agent, startMs, opened, authStatus, providers } = probed;
    const accounts = redactAccounts(authStatus?.accounts ?? [], redaction);
    const card = {
      ...common(),
      startMs,
      ...aboutAgent(agent, spec, redaction),
      ...(providers !== undefined && { providers: redactProviders(providers, redaction) }),
    };
    if ('settings' in opened) {
      const { modes, configOptions } = redactSettings(opened.settings, redaction);
      const settings = { ...(modes && { modes }), ...(configOptions && { configOptions }) };
      const given = { ...process.env, ...spec.env, ...variables.values };
      const seen = { agent, ...(authStatus !== undefined && { authState: authStatus.state }) };
      const known = { variables: given, ...(spec.signIn && { known: spec.signIn }) };
      return { card: { ...card, ...settings }, signIn: await signInStateOf(seen, known), accounts };
    }
    if (wantsSignIn(opened.failure)) return { card, signIn: 'needed', accounts };
    const failure = redaction.text(messageOf(opened.failure));
    return { card: { ...card, failure }, signIn: 'unknown', accounts };
  } catch (error) {
    const failure = timeout.aborted ? `it took longer than ${String(probeMs / 1000)} s` : messageOf(error);
    return {
      card: {
        ...common(),
        startMs: Math.round(performance.now() - begun),
        signInMethods: [],
        failure: redaction.text(failure),
      },
      signIn: wantsSignIn(error) ? 'needed' : 'unknown',
      accounts: [],
    };
  }
}

function aboutAgent(
  { info, protocolVersion, capabilities, authMethods }: AgentProbe['agent'],
  spec: AgentSpec,
  redaction: Redaction,
): Pick<AgentCard, 'info' | 'protocolVersion' | 'capabilities' | 'signInMethods' | 'signInCommands'> {
  const signInMethods = toSignInMethods(authMethods, spec.signIn);
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
