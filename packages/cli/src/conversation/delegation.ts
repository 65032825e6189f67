import {
  noNotes,
  Session,
  TypedVariables,
  type DelegationOptions,
  type OpenedDelegate,
  type SessionLimits,
} from '@parley/host';
import type { Variables } from '../configuration/places.ts';
import { openSessionWorktree, type OpenSessionWorktree } from '../worktrees/session-worktree.ts';
import { hiddenValues, type Warn } from './prepare-conversation.ts';
import type { Team } from './team.ts';

/** What the delegates of a command need of it. */
export interface OwnDelegationOptions {
  readonly env: Variables;
  readonly limits: SessionLimits;
  readonly warn: Warn;
  /** Called with each session of a delegate, which has to be ended with the command. */
  readonly onSession: (session: Session) => void;
}

/** How sessions of `run` and `chat` delegate. Disposing closes what was served to their agents. */
export interface OwnDelegation extends AsyncDisposable {
  readonly options: DelegationOptions;
}

/** The delegates of the sessions that this process owns. */
export async function openDelegation(team: Team, own: OwnDelegationOptions): Promise<OwnDelegation> {
  // Loaded for the few that delegate.
  const { createToolEndpoints, serveDelegation } = await import('@parley/gateway');
  const endpoints = createToolEndpoints();
  return {
    options: {
      agents: team.agents,
      limits: team.limits,
      ...serveDelegation(endpoints),
      open: (wish) => openDelegate(wish, team, own),
    },
    [Symbol.asyncDispose]: () => endpoints.close(),
  };
}

async function openDelegate(
  { agent, worktree, basis, signal }: Parameters<DelegationOptions['open']>[0],
  { specs }: Team,
  { env, limits, warn, onSession }: OwnDelegationOptions,
): Promise<OpenedDelegate> {
  const spec = specs.get(agent.name);
  if (spec === undefined) throw new Error(`no agent ${JSON.stringify(agent.name)} in the team`);
  const place =
    worktree === undefined ? undefined : await openPlace(basis.cwd, worktree, { env, signal, warn });
  const now = Date.now();
  const session = new Session({
    ...basis,
    ...(place !== undefined && { cwd: place.cwd, worktree: place.worktree }),
    agent: agent.name,
    spec,
    createdAt: now,
    updatedAt: now,
    notes: noNotes,
    limits,
    variables: new TypedVariables(hiddenValues(spec), { hides: false }),
    // It works while the user does something else: who has to sign in first reads so in its failure.
    askSignIn: () => Promise.resolve(undefined),
    onUnstored: (error) => {
      warn('event-log', `the session of ${agent.name} is not stored: ${error.message}`);
    },
  });
  onSession(session);
  place?.keep();
  return {
    session,
    ...(place !== undefined && { worktree: place.worktree }),
    [Symbol.asyncDispose]: async () => place?.[Symbol.asyncDispose](),
  };
}

function openPlace(
  cwd: string,
  worktree: true | string,
  { env, signal, warn }: Pick<OwnDelegationOptions, 'env' | 'warn'> & { readonly signal: AbortSignal },
): Promise<OpenSessionWorktree> {
  return openSessionWorktree(cwd, worktree === true ? {} : { name: worktree }, {
    env,
    signal,
    warn: (message) => {
      warn('worktree', message);
    },
  });
}
