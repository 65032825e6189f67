import { access } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import type { SignInState } from '../../hub/hub-agent.ts';
import type { SignIn } from '../catalogue/catalogue-entry.ts';
import type { AgentProbe } from '../probe-agent.ts';

/** Evidence for whether a user is signed in, in addition to the agent's report. */
export interface SignInEvidence {
  /** Facts about the agent in addition to its own report. @default none */
  readonly known?: SignIn;
  /** The variables of the agent. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** @default the user's home folder */
  readonly home?: string;
  /** @default the current platform */
  readonly platform?: NodeJS.Platform;
}

/**
 * Returns whether the user is signed in to an agent that opened a session. The agent's report takes precedence.
 * Otherwise a session is evidence only for agents that are known to refuse sessions without a sign-in; for agents
 * that refuse only prompts, the credentials decide.
 */
export async function signInStateOf(
  {
    agent,
    authState,
  }: { readonly authState?: string; readonly agent: Pick<AgentProbe['agent'], 'authMethods'> },
  { known, variables, home = homedir(), platform = process.platform }: SignInEvidence,
): Promise<SignInState> {
  const reported = reportedSignIn(authState);
  if (reported !== undefined) return reported;
  if (agent.authMethods.length === 0) return 'not-needed';
  if (known?.refuses === 'sessions') return 'signed-in';
  if (known?.refuses !== 'prompts' || known.credentials === undefined) return 'unknown';
  const { files, variables: names } = known.credentials;
  if ([...names, ...known.variables].some((name) => (variables[name] ?? '') !== '')) return 'signed-in';
  const found = await Promise.all(files.map((file) => exists(path.join(home, file))));
  if (found.includes(true)) return 'signed-in';
  // There, credentials are in the system's keychain.
  return platform === 'darwin' ? 'unknown' : 'needed';
}

/** The state that an agent reports (`auth/status`); undefined if it does not know it, or reports a newer one. */
export function reportedSignIn(authState: string | undefined): SignInState | undefined {
  switch (authState) {
    case 'authenticated':
      return 'signed-in';
    case 'unauthenticated':
      return 'needed';
    case 'not_required':
      return 'not-needed';
    default:
      return undefined;
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
