import { Redaction } from '@parley/host';
import { isOwnAgent } from '../conversation/agent/agent-source.ts';
import { openCommandSessions, type CommandSessions } from '../conversation/command-sessions.ts';
import { parseConversationFlags, type TypedConversationFlags } from '../conversation/flags.ts';
import { outcomeOfError } from '../conversation/outcome.ts';
import { prepareConversation } from '../conversation/prepare-conversation.ts';
import { recordProcesses } from '../conversation/record-processes.ts';
import { exitStatus, statusOfError } from '../exit-status.ts';
import { createStyle } from '../output/style.ts';
import { askTrust } from '../question/trust-question.ts';
import type { Surroundings } from '../surroundings.ts';
import { readVersion } from '../version.ts';
import { openWanted } from '../worktrees/open-wanted.ts';
import { ChatStage } from './chat-stage.ts';
import { failureLines } from './failure-lines.ts';
import { farewell } from './farewell.ts';
import { watchStart } from './slow-start.ts';
import { showHistory } from './talk.ts';
import { help, welcome } from './welcome.ts';

/** `parley chat`: a conversation, line by line. Gives the exit status. */
export async function chat(typed: TypedConversationFlags, surroundings: Surroundings): Promise<number> {
  const flags = parseConversationFlags(typed, surroundings.cwd);
  // Of the agent, once it is known which one.
  let redaction = new Redaction([]);
  using stage = new ChatStage(surroundings, { redact: (text) => redaction.text(text) });
  const { isTerminal, isScreen, ending, writer, style, session, terminal, log } = stage;
  using startWatch = watchStart(log);
  let opened: CommandSessions | undefined;
  let failure: number | undefined;
  let worktree: string | undefined;

  try {
    const warn = (_code: string, message: string): void => {
      log(`warning: ${message}`);
    };
    const lines = stage.openLines(ending.begun);
    await using place = await openWanted(flags, { surroundings, warn, signal: ending.begun });
    const prepared = await prepareConversation(flags, surroundings, {
      warn,
      signal: ending.begun,
      ...(place !== undefined && { place }),
      ...(isTerminal && {
        confirmTrust: (wish) =>
          askTrust([wish], { terminal, style: createStyle(true, surroundings.env), signal: ending.begun }),
      }),
    });
    ({ redaction } = prepared.variables);
    await recordProcesses(surroundings.env, warn);
    let agentName = prepared.spec.name;
    await using sessions = await openCommandSessions(prepared, {
      warn,
      signal: ending.begun,
      onEvent: (event) => {
        startWatch.take(event);
        return session.take(event);
      },
      isKeptAlive: true,
      onAgent: (_agent, name) => {
        agentName = name;
      },
      ...(isTerminal && {
        interact: stage.createUser({
          agentName: () => agentName,
          onQuestion: () => () => undefined,
          takesReason: () => opened?.agent?.capabilities._meta?.['parley/reject-reason'] === true,
        }),
      }),
    });
    opened = sessions;
    await session.open(() => sessions.openSession(flags.session));
    place?.keep();
    worktree = place?.worktree.name;
    const model = session.models().current;
    writer.write(
      welcome({
        version: readVersion(),
        agentName,
        isOwnAgent: isOwnAgent(prepared.spec),
        cwd: prepared.flags.cwd,
        style,
        ...(model !== undefined && { model }),
      }),
    );
    const history = (): ReturnType<typeof sessions.history> => sessions.history();
    if (isScreen && flags.session.kind !== 'new' && (await history()) !== undefined) {
      await showHistory(undefined, { history, ...stage.showing() });
    }
    await stage.talk({
      lines,
      history,
      renew: () => sessions.openSession({ kind: 'new' }),
      help: () => {
        const { authMethods = [], capabilities } = sessions.agent ?? {};
        return help({
          agentCommands: session.commands,
          hasLogin: isTerminal && authMethods.length > 0,
          hasLogout: capabilities?.auth?.logout !== undefined,
        });
      },
      changes: () => sessions.changes,
      signIn: () => sessions.signIn(),
      signOut: async () => sessions.agent?.logout({ signal: ending.begun }),
      isOver: () => !sessions.isAlive || ending.begun.aborted,
    });
  } catch (error) {
    if (ending.cause === undefined) failure = reportFailure(error, opened, log);
  }
  const { spokenIn: sessionId } = session;
  if (isTerminal && opened?.agent !== undefined && sessionId !== undefined) {
    const { capabilities } = opened.agent;
    const place = { cwd: surroundings.cwd, ...(worktree !== undefined && { worktree }) };
    writer.write(style.dim(farewell({ sessionId, flags, capabilities, ...place })));
  }
  await writer.flush();
  if (failure !== undefined) return failure;
  return ending.cause === undefined ? exitStatus.done : statusOfError(ending.cause.code);
}

function reportFailure(
  error: unknown,
  sessions: CommandSessions | undefined,
  log: (message: string) => void,
): number {
  for (const line of failureLines(error, sessions?.agent?.stderrTail())) log(line);
  return outcomeOfError(error).exitStatus;
}
