import { Invalid } from '@parley/acp';
import type { AuthAccount, AuthStatusResponse } from '@parley/acp/unstable';
import { isJsonObject, type JsonObject } from '@parley/wire';
import type { AgentConnection } from '../agent-connection.ts';
import { requestUnstable, type UnstableRequestOptions } from './unstable-request.ts';

/** Whether the user is signed in, as an agent reports it. */
export interface AuthStatus {
  /** An unknown state counts as `unknown`. */
  readonly state: (typeof states)[number];
  /** For display only: never logged, and no identifiers. */
  readonly accounts: readonly AuthAccount[];
}

const states = ['authenticated', 'unauthenticated', 'not_required', 'unknown'] as const;

/** Accounts of an agent that are shown. */
const mostAccounts = 20;
/** Length of a text about an account. */
const accountLength = 200;

/** The notifications with which agents report a change: that of the protocol, and that of its most used adapters. */
export const authStatusUpdates: ReadonlySet<string> = new Set(['auth/status_update', '_auth/status_update']);

/** Asks an agent that offers it whether the user is signed in; undefined if it does not, or did not answer. Never rejects. */
export async function readAuthStatus(
  agent: AgentConnection,
  options?: UnstableRequestOptions,
): Promise<AuthStatus | undefined> {
  try {
    return toAuthStatus(await requestUnstable(agent, 'auth/status', {}, options));
  } catch {
    // An agent may declare a method of the unstable protocol and not have it. Then nothing is known.
    return undefined;
  }
}

/** Reads a notification; undefined if it is invalid. */
export async function parseAuthStatus(params: unknown): Promise<AuthStatus | undefined> {
  const reported = isJsonObject(params) ? params['authStatus'] : undefined;
  if (isJsonObject(reported)) return toAdapterStatus(reported);
  const { clientNotifications } = await import('@parley/acp/unstable');
  const parsed = clientNotifications['auth/status_update'].parseParams(params);
  return parsed instanceof Invalid ? undefined : toAuthStatus(parsed);
}

/**
 * Reads the report of claude-agent-acp and codex-acp: `{ kind, label, account? }`, where the kind `none` means signed
 * out.
 */
function toAdapterStatus({ kind, label, account }: JsonObject): AuthStatus | undefined {
  if (typeof kind !== 'string') return undefined;
  if (kind === 'none') return { state: 'unauthenticated', accounts: [] };
  const { email, organization } = isJsonObject(account) ? account : {};
  return {
    state: 'authenticated',
    accounts: [
      toAccount({
        label: typeof label === 'string' ? label : kind,
        ...(typeof email === 'string' && { email }),
        ...(typeof organization === 'string' && { organization }),
      }),
    ],
  };
}

function toAuthStatus({ state, accounts = [] }: AuthStatusResponse): AuthStatus {
  return {
    state: states.find((known) => known === state) ?? 'unknown',
    accounts: accounts.slice(0, mostAccounts).map(toAccount),
  };
}

function toAccount({ label, active, name, email, organization }: AuthAccount): AuthAccount {
  return {
    label: label.slice(0, accountLength),
    ...(active !== undefined && { active }),
    ...(name !== undefined && { name: name.slice(0, accountLength) }),
    ...(email !== undefined && { email: email.slice(0, accountLength) }),
    ...(organization !== undefined && { organization: organization.slice(0, accountLength) }),
  };
}
