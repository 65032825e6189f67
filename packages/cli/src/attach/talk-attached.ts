import { titleOf, turnCount, type SessionState } from '@parley/host/state';
import { ChatStage } from '../chat/chat-stage.ts';
import { failureLines } from '../chat/failure-lines.ts';
import { withMarkdown } from '../chat/history-text.ts';
import { help } from '../chat/welcome.ts';
import { CliError } from '../cli-error.ts';
import { outcomeOfError } from '../conversation/outcome.ts';
import { exitStatus, statusOfError } from '../exit-status.ts';
import type { Terminal } from '../question/terminal.ts';
import { startDeadline } from '../run/limits.ts';
import { shortId } from '../sessions/find-session.ts';
import { conversationText } from '../sessions/text/conversation-text.ts';
import type { Surroundings } from '../surroundings.ts';
import { AttachedAgentSession } from './attached-agent-session.ts';
import { AttachedQuestions } from './attached-questions.ts';
import { agentNameOf, type AttachedSession } from './attached-session.ts';
import { sessionLine } from './choose-session.ts';
import type { AttachFlags } from './flags.ts';
import { hubChanges } from './hub-changes.ts';
import { openWanted } from './open-wanted.ts';
import { reachHub } from './reach-hub.ts';
import { startSessionSilence } from './session-silence.ts';
import { ShownEvents } from './shown-events.ts';

/** A session of the hub, line by line. Gives the exit status. */
export async function talkAttached(flags: AttachFlags, surroundings: Surroundings): Promise<number> {
  using stage = new ChatStage(surroundings, { leavesTurns: true });
  const { isTerminal, isScreen, ending, left, writer, style, session: chat, queue, terminal, log } = stage;
  using _deadline = startDeadline(flags, surroundings, ending);
  using silence = startSessionSilence(flags, ending);
  /** Aborted when the session was closed. */
  const closed = new AbortController();
  const over = AbortSignal.any([ending.begun, closed.signal, left]);
  const lines = stage.openLines(over);
  let failure: number | undefined;
  let attached: string | undefined;
  const sayHowToResume = (): void => {
    if (!isTerminal || ending.cause !== undefined || attached === undefined) return;
    writer.write(style.dim(`Resume with: parley attach ${shortId(attached)}\n`));
  };

  const say = (text: string): void => writer.write(text);
  const shown = new ShownEvents(chat, { lines, queue, say });

  try {
    await using session = await reachHub(flags, surroundings, ending, isTerminal, {
      event: (event, facts, before) => {
        silence?.heard();
        return shown.take(event, facts, before);
      },
      onChanges: (settled) => {
        shown.questions?.look(settled);
      },
      onAsking: (isAsking) => silence?.onAsking(isAsking),
    });
    session.client.lost.catch((error: unknown) => {
      if (error instanceof CliError) ending.begin(error);
    });
    const wanted = await chooseSession(session, flags, { terminal, isTerminal, signal: ending.begun });
    const key = await openWanted(session, wanted, surroundings);
    await session.attach(key);
    attached = key;
    void session.closed().then(
      () => {
        closed.abort();
      },
      () => undefined,
    );
    const own = new AttachedAgentSession(session, {
      view: () => shown.view,
      isUnattended: !isTerminal,
      left,
    });
    await chat.open(() => Promise.resolve(own), 'hub');
    const { facts } = session;
    const id = facts.sessionId ?? key;
    void chat.take({
      type: 'session',
      sessionId: id,
      cwd: facts.cwd ?? '',
      ...(facts.sandbox !== undefined && { sandbox: facts.sandbox }),
      origin: 'new',
    });
    if (isTerminal || isScreen) {
      const layout = withMarkdown(style, terminal.columns);
      const { view } = shown;
      for (const piece of conversationText(toShown(key, view), view, layout)) {
        writer.write(piece);
        await writer.ready();
      }
      writer.write(style.dim('\n/help shows the commands, Ctrl-D leaves; the session continues.\n'));
    }
    // What came while the conversation was written stands in it.
    shown.begin({ session, own });
    if (isTerminal && !session.client.isObserver) {
      const user = stage.createUser({
        agentName: () => agentNameOf(session.facts),
        // Silence is paused for each question of the session, wherever it is answered.
        onQuestion: () => () => undefined,
      });
      shown.questions = new AttachedQuestions({ session, user });
      shown.questions.look([]);
    }
    const notHere = (what: string) => (): Promise<never> => Promise.reject(new CliError('usage', what));
    await stage.talk({
      lines,
      history: () => Promise.resolve(shown.view),
      renew: notHere('/new is not available here; leave with Ctrl-D and run parley attach --new'),
      help: () => help({ agentCommands: chat.commands, hasLogin: false, hasLogout: false }),
      changes: () => hubChanges(session),
      signIn: notHere('/login is not available here; the hub asks when the agent requires sign-in'),
      signOut: notHere('/logout is not available here; sign out in the web interface'),
      isOver: () => over.aborted,
    });
    if (closed.signal.aborted) log('the session was closed');
    else sayHowToResume();
  } catch (error) {
    if (left.aborted) sayHowToResume();
    else if (ending.cause === undefined && !closed.signal.aborted) {
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
  const sessions = client.sessions.filter(({ parent }) => parent === undefined);
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

/** Sessions that `/sessions` lists. */
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
