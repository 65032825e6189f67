import { toSignInMethods, type AgentConnection, type AgentSpec } from '@parley/host';
import type { Person } from '../question/person.ts';
import type { SignInChoice, TypedVariables } from '../question/sign-in-question.ts';

/** The agent that wants somebody to sign in. */
export interface SignInTarget {
  readonly handle: AgentConnection;
  readonly agentName: string;
  readonly spec: AgentSpec;
  readonly cwd: string;
}

/**
 * What came of it: the agent knows who it works for; or it will when it is started again, with these variables; or
 * nobody signed in.
 */
export type SignInResult =
  | { readonly kind: 'signed-in' }
  | ({ readonly kind: 'restart' } & TypedVariables)
  | { readonly kind: 'declined' };

/** Lets a person sign in to an agent, in a way of their choice. A way that fails is said, and they may try again. */
export async function signIn(
  target: SignInTarget,
  person: Person,
  signal: AbortSignal,
): Promise<SignInResult> {
  const { handle, agentName, spec } = target;
  const { reach } = spec;
  const question = {
    agentName,
    methods: toSignInMethods(handle.authMethods),
    commandLine: (args: readonly string[]) =>
      reach.by === 'command' ? [reach.command, ...(reach.args ?? []), ...args].join(' ') : '',
  };
  for (;;) {
    const choice = await person.signIn(question, { signal });
    if (choice === undefined) return { kind: 'declined' };
    try {
      const result = await carryOut(choice, target, person, signal);
      if (result !== undefined) return result;
      person.tell('That did not sign you in.');
    } catch (error) {
      if (signal.aborted) return { kind: 'declined' };
      person.tell(`That did not sign you in: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

async function carryOut(
  choice: SignInChoice,
  { handle, spec, cwd }: SignInTarget,
  person: Person,
  signal: AbortSignal,
): Promise<SignInResult | undefined> {
  switch (choice.kind) {
    case 'agent':
      person.tell('The agent signs you in; Ctrl-C gives up.');
      await person.wait(handle.authenticate(choice.id, { signal }));
      return { kind: 'signed-in' };
    case 'terminal': {
      if (spec.reach.by !== 'command') return undefined;
      const { command, args = [] } = spec.reach;
      const isSignedIn = await person.run(
        { command, args: [...args, ...choice.args], env: { ...spec.env, ...choice.env }, cwd },
        { signal },
      );
      return isSignedIn ? { kind: 'restart', values: {}, secrets: [] } : undefined;
    }
    case 'variables':
      return { kind: 'restart', values: choice.values, secrets: choice.secrets };
  }
}
