import {
  filesStore,
  writeEventLogs,
  launchAgent,
  openAuditLog,
  redactError,
  RedactedSpeech,
  redactEvent,
  specSecrets,
  specVariables,
  superviseAgent,
  unattendedMethod,
  withSignIn,
  type AgentConnection,
  type EventStore,
  type HostEvent,
  type Policy,
  type AgentSession,
  type StartOptions,
} from '@parley/host';
import type { ObservedFrame } from '@parley/wire';
import type { Configuration } from '../configuration/configuration.ts';
import { answersFile, auditFolder, eventLogsFolder } from '../configuration/places.ts';
import { toPlainLine } from '../output/plain.ts';
import type { Person } from '../question/person.ts';
import { readVersion } from '../version.ts';
import { fullModel, isOwnAgent } from './agent-source.ts';
import { commandLineOf, type ConversationFlags, type SessionChoice } from './flags.ts';
import { openWantedSession } from './open-wanted-session.ts';
import type { PreparedConversation, Warn } from './prepare-conversation.ts';
import { recordProcesses } from './record-processes.ts';
import { recordTo } from './record-to.ts';
import { signIn } from './sign-in.ts';
import { traceIn } from './trace.ts';

/** What happens in a conversation, and who takes part. */
export interface ConversationOptions {
  /** A promise asks the agent to wait. */
  readonly onEvent: (event: HostEvent) => void | Promise<void>;
  /** The person, if there is one. */
  readonly interact?: Person;
  /** Called for each frame, when something has to be known of them. */
  readonly observe?: (frame: ObservedFrame) => void;
  /** Called with what stores the events, before there is one. */
  readonly onStore?: (store: EventStore) => void;
  readonly warn: Warn;
  readonly signal: AbortSignal;
  /** Whether an agent that ends by itself is started again, and its sessions go on. @default false */
  readonly isKeptAlive?: boolean;
}

/** An agent that is open, and the sessions with it. Disposing ends the agent. */
export interface Conversation extends AsyncDisposable {
  /** The agent as it was started last. */
  readonly handle: AgentConnection;
  /** Whether the agent is there, or will be again. */
  readonly isAlive: boolean;
  /** What people read: what the agent calls itself, else what we call it. */
  readonly agentName: string;
  /** Opens a session as the flags want it: its directories, mode, model and settings. */
  openSession(choice: SessionChoice, signal: AbortSignal): Promise<AgentSession>;
  /** Lets the person sign in to the agent. Gives whether they did. */
  signIn(signal: AbortSignal): Promise<boolean>;
}

/** Starts the agent. */
export async function openConversation(
  prepared: PreparedConversation,
  options: ConversationOptions,
): Promise<Conversation> {
  const { flags, configuration, spec, redaction } = prepared;
  const { warn, signal, onEvent, interact, isKeptAlive = false } = options;
  const recording =
    flags.recordFile === undefined
      ? undefined
      : recordTo(flags.recordFile, {
          agent: spec.name,
          cwd: flags.cwd,
          variables: { ...prepared.env, ...specVariables(spec) },
          secrets: specSecrets(spec),
          warn,
        });
  /** What sessions are called here, by the agent's name for them. */
  const keys = new Map<string, string>();
  const eventLogs = writeEventLogs({
    store: filesStore(eventLogsFolder(prepared.env)),
    program: `parley ${readVersion()}`,
    ...commandLineOf(flags.agent),
    onEvent: (key, event) => {
      if (event.type === 'session') keys.set(event.sessionId, key);
    },
    onFailure: (error) => {
      warn('event log', `the session is not stored: ${error.message}`);
    },
  });
  options.onStore?.(eventLogs);
  const audit = openAuditLog({
    directory: auditFolder(prepared.env),
    onFailure: (error) => {
      warn('audit', `decisions about permissions are not recorded: ${String(error)}`);
    },
  });
  const recordDecisions = audit.follow({ agent: spec.name, client: 'terminal', cwd: flags.cwd });
  await recordProcesses(prepared.env, warn);
  const model = isOwnAgent(spec) ? fullModel(flags.model) : undefined;
  const speech = new RedactedSpeech(() => redaction);
  const take = (event: HostEvent): Promise<void> | undefined => {
    recordDecisions(event, 'sessionId' in event ? keys.get(event.sessionId ?? '') : undefined);
    return together(eventLogs.take(event), onEvent(event));
  };
  const tell = (happened: HostEvent): Promise<void> | undefined => {
    if (!redaction.isNeeded) return take(happened);
    let taken: Promise<void> | undefined;
    for (const event of speech.take(redactEvent(happened, redaction))) taken = together(taken, take(event));
    return taken;
  };
  const trace = traceIn(prepared.env);
  const observe = both(recording?.observe, options.observe);
  /** What the person typed for the agent. It is nowhere else. */
  let typed: Readonly<Record<string, string>> = {};
  try {
    const start = (startOptions: StartOptions): Promise<AgentConnection> =>
      launchAgent(
        spec,
        { cwd: flags.cwd, env: typed },
        {
          ...startOptions,
          clientInfo: { name: 'parley', title: 'Parley', version: readVersion() },
          store: eventLogs,
          policy: toPolicy(flags, configuration, interact !== undefined),
          ...(trace !== undefined && { trace }),
          serves: { signInTerminal: interact !== undefined },
          answersFile: answersFile(prepared.env),
          ...(interact !== undefined && { interact }),
          ...(observe !== undefined && { observe }),
          ...(configuration.startTimeoutMs !== undefined && { startTimeoutMs: configuration.startTimeoutMs }),
          ...(configuration.openTimeoutMs !== undefined && { openTimeoutMs: configuration.openTimeoutMs }),
          ...(configuration.requestTimeoutMs !== undefined && {
            requestTimeoutMs: configuration.requestTimeoutMs,
          }),
        },
      );
    const agent = await superviseAgent({
      open: start,
      signal,
      onEvent: tell,
      ...(!isKeptAlive && { restart: { attempts: 0 } }),
      signIn: (promptSignal) => askSignIn(AbortSignal.any([signal, promptSignal])),
    });
    const { info } = agent.handle;
    const agentName = toPlainLine(info?.title ?? info?.name ?? spec.name);
    let tried: AgentConnection | undefined;
    /** With nothing but the variables that are set: what this comes to, the next try tells. */
    const signInUnattended = async (signInSignal: AbortSignal): Promise<boolean> => {
      const { handle } = agent;
      if (tried === handle || spec.reach.by !== 'command') return false;
      tried = handle;
      const variables = { ...prepared.env, ...spec.env, ...typed };
      const methodId = unattendedMethod(handle.authMethods, variables, spec.signIn);
      if (methodId === undefined) return false;
      try {
        await handle.authenticate(methodId, { signal: signInSignal });
        return true;
      } catch (error) {
        signInSignal.throwIfAborted();
        warn('sign-in', redaction.text(error instanceof Error ? error.message : String(error)));
        return false;
      }
    };
    const askSignIn = async (signInSignal: AbortSignal): Promise<boolean> => {
      if (await signInUnattended(signInSignal)) return true;
      if (interact === undefined) return false;
      const target = { handle: agent.handle, agentName, spec, cwd: flags.cwd };
      const result = await signIn(target, interact, signInSignal);
      if (result.kind !== 'restart') return result.kind === 'signed-in';
      typed = { ...typed, ...result.values };
      for (const secret of result.secrets) recording?.learn(secret);
      await agent.renew({ signal: signInSignal });
      // Some agents look at a variable only when they are asked to.
      if (Object.keys(result.values).length > 0) await signInUnattended(signInSignal);
      return true;
    };
    const wanted = { ...prepared, ...(model !== undefined && { model }) };
    return {
      get handle() {
        return agent.handle;
      },
      get isAlive() {
        return agent.state === 'starting' || agent.state === 'ready';
      },
      agentName,
      signIn: askSignIn,
      async openSession(choice, sessionSignal) {
        try {
          return await withSignIn(
            () => openWantedSession(agent, wanted, choice, sessionSignal),
            () => askSignIn(sessionSignal),
          );
        } catch (error) {
          throw redactError(error, redaction);
        }
      },
      async [Symbol.asyncDispose]() {
        await agent.end();
        await Promise.all([eventLogs.close(), audit.flush()]);
        recording?.[Symbol.dispose]();
      },
    };
  } catch (error) {
    await eventLogs.close();
    recording?.[Symbol.dispose]();
    throw redactError(error, redaction);
  }
}

/** A given level counts; without one a person is asked, and where nobody is, reading is allowed. */
function toPolicy({ approve }: ConversationFlags, { rules }: Configuration, isPersonThere: boolean): Policy {
  if (approve !== undefined) return { approve: { level: approve, given: true }, rules };
  return { approve: { level: isPersonThere ? 'ask' : 'reads', given: false }, rules };
}

/** Waits for both, where there is anything to wait for. */
function together(first: Promise<void> | undefined, second: Promise<void> | void): Promise<void> | undefined {
  if (first === undefined) return second instanceof Promise ? second : undefined;
  return Promise.all([first, second]).then(() => undefined);
}

type Observer = (frame: ObservedFrame) => void;

function both(first: Observer | undefined, second: Observer | undefined): Observer | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  return (frame) => {
    first(frame);
    second(frame);
  };
}
