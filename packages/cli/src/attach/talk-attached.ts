import {
  emptyState,
  reduce,
  runningTurn,
  titleOf,
  turnCount,
  type SessionFacts,
  type SessionState,
} from '@parley/host/state';
import type { ChatSession } from '../chat/chat-session.ts';
import { ChatStage } from '../chat/chat-stage.ts';
import { failureLines } from '../chat/failure-lines.ts';
import type { LineSource } from '../chat/line-source.ts';
import type { PromptQueue } from '../chat/prompt-queue.ts';
import { collectLines } from '../chat/talk.ts';
import { help } from '../chat/welcome.ts';
import { CliError } from '../cli-error.ts';
import { outcomeOfError } from '../conversation/outcome.ts';
import { exitStatus, statusOfError } from '../exit-status.ts';
import type { SessionEvent } from '../hub/hub-client.ts';
import type { Terminal } from '../question/terminal.ts';
import { startDeadline, startSilenceWatch } from '../run/limits.ts';
import { shortId } from '../sessions/find-session.ts';
import { conversationText } from '../sessions/text/conversation-text.ts';
import type { Surroundings } from '../surroundings.ts';
import { agentNameOf, type AttachedSession } from './attached-session.ts';
import { sessionLine } from './choose-session.ts';
import type { AttachFlags } from './flags.ts';
import { FollowedSession } from './followed-session.ts';
import { hubChanges } from './hub-changes.ts';
import { OpenQuestions } from './open-questions.ts';
import { openWanted } from './open-wanted.ts';
import { reachHub } from './reach-hub.ts';
import { toHostEvent } from './to-host-event.ts';

/** A session of the hub, line by line. Gives the exit status. */
export async function talkAttached(flags: AttachFlags, surroundings: Surroundings): Promise<number> {
  using stage = new ChatStage(surroundings);
  const { isTerminal, isScreen, ending, writer, style, session: chat, queue, terminal, log } = stage;
  using _deadline = startDeadline(flags, ending);
  using silence = startSilenceWatch(flags, ending);
  /** Aborted when the session was closed. */
  const closed = new AbortController();
  const over = AbortSignal.any([ending.begun, closed.signal]);
  const lines = stage.openLines(over);
  let view: SessionState = emptyState;
  let isLive = false;
  let questions: OpenQuestions | undefined;
  let followed: FollowedTurn | undefined;
  let failure: number | undefined;

  try {
    await using session = await reachHub(flags, surroundings, ending, isTerminal, {
      event: (event, facts, before) => {
        silence?.heard();
        view = reduce(view, event);
        if (!isLive) return undefined;
        return show(event, facts, before);
      },
      onChanges: (settled) => {
        questions?.look(settled);
      },
    });
    const show = async (event: SessionEvent, facts: SessionFacts, before: SessionFacts): Promise<void> => {
      if (event.type === 'turn-start' && !session.isOwn(facts)) {
        const { client, person: token } = event.from ?? {};
        // While a prompt of this terminal waits behind it, the turn is part of that wait.
        if (!chat.isBusy) followed = beginFollowing(chat, { lines, queue });
        chat.showPrompt({
          type: 'prompt',
          turn: turnCount(facts),
          content: event.prompt,
          ...(client !== undefined && { client }),
          ...(token !== undefined && { token }),
        });
      }
      const shown = toHostEvent(event, facts.sessionId ?? session.key);
      if (shown !== undefined) await chat.take(shown);
      if (followed !== undefined && runningTurn(before) !== undefined && runningTurn(facts) === undefined) {
        const ended = followed;
        followed = undefined;
        await ended.end();
      }
    };
    session.client.lost.catch((error: unknown) => {
      if (error instanceof CliError) ending.begin(error);
    });
    const wanted = await chooseSession(session, flags, { terminal, isTerminal, signal: ending.begun });
    const key = await openWanted(session, wanted, surroundings);
    await session.attach(key);
    void session.closed().then(
      () => {
        closed.abort();
      },
      () => undefined,
    );
    await chat.open(() => Promise.resolve(new FollowedSession(session, () => view, !isTerminal)));
    const { facts } = session;
    const id = facts.sessionId ?? key;
    void chat.take({ type: 'session', sessionId: id, cwd: facts.cwd ?? '', origin: 'new' });
    if (isTerminal || isScreen) {
      for (const piece of conversationText(toShown(key, view), view, style)) {
        writer.write(piece);
        await writer.ready();
      }
      writer.write(style.dim('\n/help shows the commands, Ctrl-D leaves; the session goes on.\n'));
    }
    isLive = true;
    // What came while the conversation was written stands in it.
    if (runningTurn(session.facts) !== undefined) followed = beginFollowing(chat, { lines, queue });
    if (isTerminal && !session.client.isObserver) {
      const user = stage.createUser({
        agentName: () => agentNameOf(session.facts),
        onQuestion: () => {
          const resume = silence?.pause();
          const release = lines.hold();
          return () => {
            release();
            resume?.();
          };
        },
      });
      questions = new OpenQuestions({ session, user });
      questions.look([]);
    }
    const notHere = (what: string) => (): Promise<never> => Promise.reject(new CliError('usage', what));
    await stage.talk({
      lines,
      renew: notHere('/new: leave with Ctrl-D; "parley attach --new" begins a session'),
      help: () => help({ agentCommands: chat.commands, hasLogin: false, hasLogout: false }),
      changes: () => hubChanges(session),
      signIn: notHere('/login: the hub asks for it when the agent needs it'),
      signOut: notHere('/logout: sign out in the web interface'),
      isOver: () => over.aborted,
    });
    if (closed.signal.aborted) log('the session was closed');
    else if (isTerminal && ending.cause === undefined) {
      writer.write(style.dim(`To come back to it: parley attach ${shortId(key)}\n`));
    }
  } catch (error) {
    if (ending.cause === undefined && !closed.signal.aborted) {
      for (const line of failureLines(error)) log(line);
      failure = outcomeOfError(error).exitStatus;
    }
  }
  await writer.flush();
  if (failure !== undefined) return failure;
  const { cause } = ending;
  if (cause === undefined) return exitStatus.done;
  if (endings.has(cause.code)) log(cause.message);
  return statusOfError(cause.code);
}

/** How a chat ends that its user did not end. */
const endings: ReadonlySet<CliError['code']> = new Set(['hub-lost', 'hub-refused', 'timeout']);

interface FollowedTurn {
  end(): Promise<void>;
}

/** Shows a turn of another client. What is typed meanwhile is sent when it has ended. */
function beginFollowing(
  chat: ChatSession,
  { lines, queue }: { readonly lines: LineSource; readonly queue: PromptQueue },
): FollowedTurn {
  const resume = lines.pause();
  const stop = collectLines(chat, { lines, queue });
  const endTurn = chat.showTurn();
  return {
    end: async () => {
      stop();
      await endTurn();
      resume();
    },
  };
}

/** Without SESSION, a list to choose from where there are several. */
async function chooseSession(
  { client }: AttachedSession,
  flags: AttachFlags,
  {
    terminal,
    isTerminal,
    signal,
  }: { readonly terminal: Terminal; readonly isTerminal: boolean; readonly signal: AbortSignal },
): Promise<AttachFlags> {
  const { sessions } = client;
  if (!isTerminal || flags.session !== undefined || flags.begin !== undefined || sessions.length < 2) {
    return flags;
  }
  const listed = sessions.slice(0, mostListed);
  terminal.show(
    listed.map((session, index) => `${String(index + 1).padStart(3)}  ${sessionLine(session)}\n`).join(''),
  );
  const typed = (await terminal.ask(`Which one? [1-${String(listed.length)}]: `, signal)) ?? '';
  const chosen = /^\s*\d+\s*$/u.test(typed) ? listed[Number(typed) - 1] : undefined;
  if (chosen === undefined) throw new CliError('usage', 'no session was chosen');
  return { ...flags, session: chosen.key };
}

const mostListed = 50;

function toShown(key: string, view: SessionState): Parameters<typeof conversationText>[0] {
  const title = titleOf(view);
  return {
    id: key,
    agent: agentNameOf(view),
    ...(title !== undefined && { title }),
    cwd: view.cwd ?? '',
    state: view.phase,
    turns: turnCount(view),
    startedAt: new Date(view.startedAt).toISOString(),
    updatedAt: new Date(view.time).toISOString(),
  };
}
