import type { AgentCapabilities, Implementation, SessionConfigOption, SessionModeState } from '@parley/acp';
import type { ProviderInfo } from '@parley/acp/unstable';
import type { AuthStatus, LegacyModel } from '@parley/host';
import type { ProbedSandbox } from './probe-sandbox.ts';

/** What a probe found out: `parley agents probe --json`. */
export interface ProbeReport {
  readonly name: string;
  /** What the agent says it is. */
  readonly agent?: Implementation;
  readonly protocolVersion: number;
  /** What held the agent. */
  readonly sandbox: ProbedSandbox;
  /** From its start to its answer to `initialize`. */
  readonly startMs: number;
  readonly capabilities: AgentCapabilities;
  readonly authMethods: readonly ProbedAuthMethod[];
  /** Whether the user is signed in, and as whom, if the agent reports it. */
  readonly authStatus?: AuthStatus;
  /** The model providers that `providers` of the configuration can route elsewhere, if the agent lists them. */
  readonly providers?: readonly ProviderInfo[];
  readonly session: ProbedSession;
  /** What went wrong on the wire on the way, and how often: the codes of diagnostics. */
  readonly diagnostics: Readonly<Record<string, number>>;
}

/** A way to sign in, without what it would start. */
export interface ProbedAuthMethod {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly description?: string;
}

/** Whether a session could be opened, and what it offers. */
export type ProbedSession =
  | {
      readonly state: 'opened';
      readonly openMs: number;
      readonly modes?: SessionModeState;
      readonly configOptions?: readonly SessionConfigOption[];
      readonly models?: readonly LegacyModel[];
    }
  | { readonly state: 'auth-required' }
  | { readonly state: 'failed'; readonly code: number | string; readonly message: string };
