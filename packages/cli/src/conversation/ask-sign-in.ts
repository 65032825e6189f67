import { toSignInMethods, type AgentConnection, type AgentSpec, type AskSignIn } from '@parley/host';
import { toPlainLine } from '../output/plain.ts';
import type { TerminalUser } from '../question/terminal-user.ts';
import type { TerminalCommand } from '../question/terminal.ts';
import type { Warn } from './prepare-conversation.ts';

/** Who is asked how to sign in to an agent. */
export interface AskSignInOptions {
  readonly spec: AgentSpec;
  readonly cwd: string;
  /** @default there is no user */
  readonly user?: TerminalUser;
  readonly warn: Warn;
  /** Receives each secret that the user types. */
  readonly onSecret: (secret: string) => void;
}

/** Asks the user at the terminal, if there is one, and runs the command of a way that has one. */
export function askSignInOf({ spec, cwd, user, warn, onSecret }: AskSignInOptions): AskSignIn {
  const { reach, env } = spec;
  const words = reach.by === 'command' ? [reach.command, ...(reach.args ?? [])] : undefined;
  return async ({ failure }, { info, name, authMethods, sandbox }, signal) => {
    if (user === undefined) {
      if (failure !== undefined) warn('sign-in', failure);
      return undefined;
    }
    if (failure !== undefined) user.showLine(`Sign-in failed: ${failure}`);
    const question = {
      agentName: toPlainLine(info?.title ?? info?.name ?? name),
      methods: toSignInMethods(authMethods),
      commandLine: (args: readonly string[]) => (words === undefined ? '' : [...words, ...args].join(' ')),
    };
    for (;;) {
      const choice = await user.signIn(question, { signal });
      switch (choice?.kind) {
        case undefined:
          return undefined;
        case 'agent':
          user.showLine('Waiting for the agent to sign in; press Ctrl-C to cancel.');
          return { kind: 'sign-in', methodId: choice.id, onWait: () => user.wait() };
        case 'variables':
          for (const secret of choice.secrets) onSecret(secret);
          return { kind: 'sign-in', methodId: choice.id, values: choice.values };
        case 'terminal': {
          const [command, ...args] = words ?? [];
          const isSignedIn =
            command !== undefined &&
            (await user.run(
              held(sandbox, {
                command,
                args: [...args, ...choice.args],
                env: { ...env, ...choice.env },
                cwd,
              }),
              { signal },
            ));
          if (isSignedIn) return { kind: 'sign-in', methodId: choice.id };
          user.showLine('Sign-in failed.');
        }
      }
    }
  };
}

/** A command of an agent that is held is held too. */
function held(sandbox: AgentConnection['sandbox'], command: TerminalCommand): TerminalCommand {
  return sandbox === undefined ? command : sandbox.hold(command).options;
}
