import { acpCodes } from '@parley/acp';
import {
  HostError,
  launchAgent,
  SessionSignIn,
  superviseAgent,
  withSignIn,
  type AgentConnection,
  type Redaction,
  type SupervisedAgent,
} from '@parley/host';
import { RpcError } from '@parley/wire';
import { sandboxFor } from '../conversation/agent/sandbox-for.ts';
import { askSignInOf } from '../conversation/ask-sign-in.ts';
import { Ending } from '../conversation/ending.ts';
import { parseConversationFlags } from '../conversation/flags.ts';
import { outcomeOfEnding, outcomeOfError } from '../conversation/outcome.ts';
import {
  prepareConversation,
  type PreparedConversation,
  type Warn,
} from '../conversation/prepare-conversation.ts';
import { recordProcesses } from '../conversation/record-processes.ts';
import { toLastWords } from '../output/last-words.ts';
import { toPlainLine, toPlainText } from '../output/plain.ts';
import { createStyle } from '../output/style.ts';
import { createTerminalUser, type TerminalUser } from '../question/terminal-user.ts';
import { createTerminal } from '../question/terminal.ts';
import { listenForSignals } from '../run/signals.ts';
import type { Surroundings } from '../surroundings.ts';
import { readVersion } from '../version.ts';
import type { TypedAgentFlags } from './asks-agent.ts';

/** What an agent is asked with, before it is started. */
export interface AgentInquiry {
  readonly prepared: PreparedConversation;
  readonly warn: Warn;
  readonly signal: AbortSignal;
  /** The user, if there is one. */
  readonly user?: TerminalUser;
  /** Called with an agent that was started: its last words are shown when asking fails. */
  readonly onAgent: (agent: AgentConnection) => void;
}

/** An agent that was started to be asked. */
export interface AskedAgent {
  readonly connection: AgentConnection;
  /** Hides the secrets of the agent in what it answers. */
  readonly redaction: Redaction;
  readonly signal: AbortSignal;
}

/**
 * Starts the agent, asks, and ends it; where it needs a sign-in, the user signs in, and it is asked once more. Returns the
 * exit status, which is that of the failure where there was one.
 */
export function atAgent(
  flags: TypedAgentFlags,
  surroundings: Surroundings,
  ask: (asked: AskedAgent) => Promise<number>,
): Promise<number> {
  return inquire(flags, surroundings, async (inquiry) => {
    const { signal, prepared } = inquiry;
    const { redaction } = prepared.variables;
    await using agent = await startAsked(inquiry, surroundings);
    const attempt = async (): Promise<number> => {
      try {
        return await ask({ connection: agent.supervised.connection, redaction, signal });
      } catch (error) {
        throw withSignInMethods(error, agent.supervised.connection);
      }
    };
    return await withSignIn(attempt, () => agent.signIn());
  });
}

/** Reads the flags, inquires, and says what went wrong. Gives the exit status. */
export async function inquire(
  { agent, command, cwd, config }: TypedAgentFlags,
  surroundings: Surroundings,
  inquiring: (inquiry: AgentInquiry) => Promise<number>,
): Promise<number> {
  const { stdin, stderr, env } = surroundings;
  const isTerminal = stdin.isTTY === true && stderr.isTTY === true;
  const typed = {
    ...(agent !== undefined && { agent }),
    ...(command !== undefined && { command }),
    ...(cwd !== undefined && { cwd }),
    ...(config !== undefined && { config }),
  };
  const flags = parseConversationFlags(typed, surroundings.cwd);
  let prepared: PreparedConversation | undefined;
  const log = (message: string): void => {
    stderr.write(`parley: ${toPlainText(prepared?.variables.redaction.text(message) ?? message)}\n`);
  };
  const warn = (_code: string, message: string): void => {
    log(`warning: ${message}`);
  };
  const ending = new Ending();
  using _signals = listenForSignals(ending);
  let started: AgentConnection | undefined;
  try {
    prepared = await prepareConversation(flags, surroundings, { warn, signal: ending.begun });
    await recordProcesses(env, warn);
    const { name } = prepared.spec;
    return await inquiring({
      prepared,
      warn,
      signal: ending.begun,
      onAgent: (agentStarted) => {
        started = agentStarted;
      },
      ...(isTerminal && {
        user: createTerminalUser({
          terminal: createTerminal(stdin, stderr),
          style: createStyle(true, env),
          agentName: () => toPlainLine(started?.info?.title ?? started?.info?.name ?? name),
          makeRoom: () => Promise.resolve(),
          onQuestion: () => () => undefined,
        }),
      }),
    });
  } catch (error) {
    const outcome =
      ending.cause === undefined ? outcomeOfError(error) : outcomeOfEnding(ending.cause, undefined);
    log(outcome.error?.message ?? String(error));
    for (const line of toLastWords(started?.stderrTail() ?? '', outcome.exitStatus)) log(line);
    return outcome.exitStatus;
  }
}

interface StartedAgent extends AsyncDisposable {
  readonly supervised: SupervisedAgent;
  signIn(): Promise<boolean>;
}

async function startAsked(
  { prepared, warn, signal, user, onAgent }: AgentInquiry,
  { env }: Surroundings,
): Promise<StartedAgent> {
  const { spec, flags, variables, configuration } = prepared;
  const { startTimeoutMs, openTimeoutMs, requestTimeoutMs } = configuration;
  const supervised = await superviseAgent({
    signal,
    restart: { attempts: 0 },
    onEvent: () => undefined,
    open: async (start) => {
      const { sandbox: choice, cwd } = flags;
      const wish = { spec, cwd, ...(choice !== undefined && { choice }) };
      const sandbox = await sandboxFor(configuration, env, wish);
      const agent = await launchAgent(
        spec,
        { cwd, env: variables.values, ...(sandbox !== undefined && { sandbox }) },
        {
          ...start,
          clientInfo: { name: 'parley', title: 'Parley', version: readVersion() },
          // It is asked for no turn: it may do nothing meanwhile.
          policy: { approve: { level: 'none', given: true }, rules: [] },
          serves: { signInTerminal: user !== undefined },
          ...(user !== undefined && { interact: user }),
          ...(startTimeoutMs !== undefined && { startTimeoutMs }),
          ...(openTimeoutMs !== undefined && { openTimeoutMs }),
          ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
        },
      );
      onAgent(agent);
      return agent;
    },
  });
  const ask = askSignInOf({
    spec,
    cwd: flags.cwd,
    warn,
    ...(user !== undefined && { user }),
    onSecret: () => undefined,
  });
  const signIn = new SessionSignIn({ key: spec.name, variables, ask });
  return {
    supervised,
    signIn: () => signIn.run(spec, supervised, signal),
    [Symbol.asyncDispose]: () => supervised.end(),
  };
}

/** What is asked of an agent directly is refused by its code alone; how to sign in, it has said before. */
function withSignInMethods(error: unknown, { name, authMethods }: AgentConnection): unknown {
  if (!(error instanceof RpcError) || error.code !== acpCodes.authRequired) return error;
  const message = `${JSON.stringify(name)} wants to be signed in: ${error.message}`;
  return new HostError('auth-required', message, { cause: error, authMethods });
}
