import {
  openJournal,
  recoverSession,
  RedactedSpeech,
  redactEvent,
  superviseAgent,
  toJournalEntry,
  withSignIn,
  type AgentHandle,
  type EventStore,
  type HostEvent,
  type Interact,
  type Journal,
  type JournalEvent,
  type OpenSessionOptions,
  type Policy,
  type Redaction,
  type Session,
  type StartOptions,
  type SupervisedAgent,
  type TerminalOutput,
} from '@parley/host';
import type { ObservedFrame } from '@parley/wire';
import type { DeskAgentSource, DeskOptions } from './desk-options.ts';
import { startAgent } from './start-agent.ts';

/** What an agent is started for, and who hears of what it does. */
export interface AgentRunOptions {
  readonly key: string;
  readonly folder: string;
  readonly source: DeskAgentSource;
  readonly desk: DeskOptions;
  readonly cwd: string;
  readonly interact: Interact;
  readonly signal: AbortSignal;
  /** Variables that a person typed for it, asked for at each start. */
  readonly variables: () => Readonly<Record<string, string>>;
  /** Hears what commands write, as they do. */
  readonly onOutput: (output: TerminalOutput) => void;
  /** Sees each frame in both directions. */
  readonly observe: (frame: ObservedFrame) => void;
  /** What must not be told, asked for each event. */
  readonly redaction: () => Redaction;
  /** Takes each event of the journal: those that were there, then each that is added. */
  readonly onJournal: (event: JournalEvent) => void;
  /** Takes what is not kept: the agent's log, and where its session stands. */
  readonly onEvent: (event: HostEvent) => void;
  /** Whether an event is about the session at all. */
  readonly isKept: (event: HostEvent) => boolean;
  /** Called when the journal cannot be written, and without an error when it can again. */
  readonly onJournalTrouble: (error?: Error) => void;
  /** Lets somebody sign in; gives whether they did. */
  readonly signIn: (agent: SupervisedAgent, signal: AbortSignal) => Promise<boolean>;
}

/** Which session of the agent's is wanted. */
export interface WantedSession {
  readonly additionalDirectories: readonly string[];
  /** What the agent calls the one that goes on. @default a new one */
  readonly sessionId?: string;
}

/** An agent that runs for one session, which is open, and keeps its journal. */
export interface AgentRun {
  readonly agent: SupervisedAgent;
  readonly session: Session;
  /** Settles when all that happened is stored. Rejects while it cannot be. */
  stored(): Promise<void>;
  /** Lets the agent close the session, where it wants to know. */
  leave(): Promise<void>;
  /** Has the agent forget the session, where it can. */
  forget(): Promise<void>;
  /** Ends the agent, and then the journal. Never rejects. */
  end(): Promise<void>;
}

/**
 * Opens the journal, starts the agent, and opens its session. If it throws, nothing of it runs.
 *
 * @param wanted Asked for when the journal has been read.
 * @throws {HostError} `already-open`: another program has the session; or the agent did not start, or opened no session.
 */
export async function startRun(options: AgentRunOptions, wanted: () => WantedSession): Promise<AgentRun> {
  const { desk, key, folder, source, cwd, signal } = options;
  const policy = await desk.policyFor(cwd);
  const journal = await openJournal(folder, {
    start: { key, agent: source.name, cwd, program: desk.journals.program },
    onEvent: options.onJournal,
    onFailure: (error) => {
      options.onJournalTrouble(error);
    },
    onRecovery: () => {
      options.onJournalTrouble();
    },
  });
  const speech = new RedactedSpeech(options.redaction);
  try {
    const agent = await superviseAgent({
      open: (start) => open(options, { policy, store: journal }, start),
      onEvent: (event) => {
        for (const told of speech.take(redactEvent(event, options.redaction()))) take(told, journal, options);
        return journal.ready();
      },
      signal,
      signIn: (promptSignal) => options.signIn(agent, AbortSignal.any([signal, promptSignal])),
      ...(desk.restart !== undefined && { restart: desk.restart }),
    });
    const end = async (): Promise<void> => {
      await agent.end();
      await journal.close();
    };
    try {
      const attempt = (): Promise<Session> => openSession(agent, journal, { cwd, signal, ...wanted() });
      const session = await withSignIn(attempt, () => options.signIn(agent, signal));
      return {
        agent,
        session,
        stored: async () => journal.stored(),
        leave: () => session.close(),
        forget: () => forget(agent, session, desk),
        end,
      };
    } catch (error) {
      await end();
      throw error;
    }
  } catch (error) {
    await journal.close();
    throw error;
  }
}

function open(
  options: AgentRunOptions,
  { policy, store }: { readonly policy: Policy; readonly store: EventStore },
  start: StartOptions,
): Promise<AgentHandle> {
  const { desk, source, cwd, interact, variables, signal } = options;
  const { answersFile, startTimeoutMs, openTimeoutMs, requestTimeoutMs } = desk;
  return startAgent(
    source,
    { cwd, env: variables() },
    {
      ...start,
      signal: start.signal ?? signal,
      clientInfo: desk.info,
      policy,
      store,
      interact,
      observe: options.observe,
      onOutput: options.onOutput,
      serves: { signInTerminal: true, ...source.serves },
      ...(answersFile !== undefined && { answersFile }),
      ...(startTimeoutMs !== undefined && { startTimeoutMs }),
      ...(openTimeoutMs !== undefined && { openTimeoutMs }),
      ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
    },
  );
}

function take(
  event: HostEvent,
  journal: Journal,
  { desk, source, key, isKept, onEvent }: AgentRunOptions,
): void {
  desk.onEvent?.(event, { agent: source.name, sessionId: key });
  const entry = isKept(event) ? toJournalEntry(event) : undefined;
  if (entry !== undefined) journal.append(entry, event.type === 'update' ? event.text : undefined);
  onEvent(event);
}

/** Opens the session that is wanted: it goes on, or, where the agent cannot go on with it, begins anew, and that is told. */
async function openSession(
  agent: SupervisedAgent,
  journal: Journal,
  options: WantedSession & { readonly cwd: string; readonly signal: AbortSignal },
): Promise<Session> {
  const { sessionId, ...others } = options;
  if (sessionId === undefined) return agent.openSession(others);
  const opener = {
    capabilities: agent.handle.capabilities,
    openSession: (wanted: OpenSessionOptions) => agent.openSession(wanted),
  };
  const { session, by } = await recoverSession(opener, sessionId, others);
  if (by === 'new') journal.append({ type: 'session-recovered', sessionId, by, newSessionId: session.id });
  return session;
}

async function forget(agent: SupervisedAgent, session: Session, desk: DeskOptions): Promise<void> {
  const { handle } = agent;
  if (handle.capabilities.sessionCapabilities?.delete === undefined) return;
  const { requestTimeoutMs: timeoutMs = forgetMs } = desk;
  await handle.agent.request('session/delete', { sessionId: session.id }, { timeoutMs });
}

/** How long an agent may take to forget a session. */
const forgetMs = 60_000;
