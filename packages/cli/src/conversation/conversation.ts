import { stat } from 'node:fs/promises';
import { acpCodes, type McpServer } from '@parley/acp';
import {
  keepJournals,
  superviseAgent,
  withSignIn,
  type AgentHandle,
  type HostEvent,
  type Policy,
  type Session,
  type StartOptions,
  type SupervisedAgent,
} from '@parley/host';
import { RpcError, type ObservedFrame } from '@parley/wire';
import { CliError } from '../cli-error.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { answersFile, journalsFolder, type Variables } from '../configuration/places.ts';
import { readConfiguration, type ConfigurationOptions } from '../configuration/read-configuration.ts';
import { toFileReason } from '../input-file.ts';
import type { Person } from '../question/person.ts';
import type { Surroundings } from '../surroundings.ts';
import { readVersion } from '../version.ts';
import { findAgent, openSource, variablesOf, withVariables, type AgentSource } from './agent-source.ts';
import type { ConversationFlags, SessionChoice } from './flags.ts';
import { findLatestSession } from './latest-session.ts';
import { checkMcpServers, readMcpServers } from './mcp-servers.ts';
import { recordProcesses } from './record-processes.ts';
import { recordTo } from './record-to.ts';
import { signIn } from './sign-in.ts';
import { traceIn } from './trace.ts';

/** Tells the person about something that was survived. */
export type Warn = (code: string, message: string) => void;

/** All that is known before the agent is started. */
export interface PreparedConversation {
  readonly flags: ConversationFlags;
  readonly configuration: Configuration;
  readonly source: AgentSource;
  readonly mcpServers: readonly McpServer[];
  readonly env: Variables;
}

export interface PrepareOptions extends Pick<ConfigurationOptions, 'confirmTrust'> {
  readonly warn: Warn;
  readonly signal: AbortSignal;
}

/** Reads the configuration and finds the agent. Nothing has been started when it fails. */
export async function prepareConversation(
  flags: ConversationFlags,
  { env }: Surroundings,
  { warn, signal, confirmTrust }: PrepareOptions,
): Promise<PreparedConversation> {
  await checkFolder('--cwd', flags.cwd);
  for (const folder of flags.additionalDirectories) await checkFolder('--add-dir', folder);
  const configuration = await readConfiguration({
    cwd: flags.cwd,
    env,
    warn: (message) => {
      warn('configuration', message);
    },
    ...(flags.configFile !== undefined && { file: flags.configFile }),
    ...(confirmTrust !== undefined && { confirmTrust }),
  });
  const source = await findAgent(flags.agent, configuration, { env, warn });
  const mcpServers =
    flags.mcpConfigFile === undefined
      ? []
      : await readMcpServers(flags.mcpConfigFile, { cwd: flags.cwd, env, signal });
  return { flags, configuration, source, mcpServers, env };
}

export interface ConversationOptions {
  /** A promise asks the agent to wait. */
  readonly onEvent: (event: HostEvent) => void | Promise<void>;
  /** The person, if there is one. */
  readonly interact?: Person;
  /** Called for each frame, when something has to be known of them. */
  readonly observe?: (frame: ObservedFrame) => void;
  readonly warn: Warn;
  readonly signal: AbortSignal;
  /** Whether an agent that ends by itself is started again, and its sessions go on. @default false */
  readonly isKeptAlive?: boolean;
}

/** An agent that is open, and the sessions with it. Disposing ends the agent. */
export interface Conversation extends AsyncDisposable {
  /** The agent as it was started last. */
  readonly handle: AgentHandle;
  /** Whether the agent is there, or will be again. */
  readonly isAlive: boolean;
  /** What the agent calls itself, else what we call it. */
  readonly agentName: string;
  /** Opens a session as the flags want it: its directories, mode, model and settings. */
  openSession(choice: SessionChoice, signal: AbortSignal): Promise<Session>;
  /** Lets the person sign in to the agent. Gives whether they did. */
  signIn(signal: AbortSignal): Promise<boolean>;
}

/** Starts the agent. */
export async function openConversation(
  prepared: PreparedConversation,
  options: ConversationOptions,
): Promise<Conversation> {
  const { flags, configuration, source } = prepared;
  const { warn, signal, onEvent, interact, isKeptAlive = false } = options;
  const recording =
    flags.recordFile === undefined
      ? undefined
      : recordTo(flags.recordFile, {
          agent: source.name,
          cwd: flags.cwd,
          variables: variablesOf(source, prepared.env),
          warn,
        });
  const journals = keepJournals({
    directory: journalsFolder(prepared.env),
    program: `parley ${readVersion()}`,
    onFailure: (error) => {
      warn('journal', `the session is not kept: ${error.message}`);
    },
  });
  await recordProcesses(prepared.env, warn);
  const model = source.kind === 'own' ? fullModel(flags.model) : undefined;
  const trace = traceIn(prepared.env);
  const observe = both(recording?.observe, options.observe);
  /** What the person typed for the agent. It is nowhere else. */
  let typed: Readonly<Record<string, string>> = {};
  try {
    const start = (startOptions: StartOptions): Promise<AgentHandle> =>
      openSource(
        withVariables(source, typed),
        { env: prepared.env, ...(model !== undefined && { model }) },
        {
          ...startOptions,
          cwd: flags.cwd,
          clientInfo: { name: 'parley', title: 'Parley', version: readVersion() },
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
      onEvent: (event) => together(journals.take(event), onEvent(event)),
      ...(!isKeptAlive && { restart: { attempts: 0 } }),
      signIn: (promptSignal) => askSignIn(AbortSignal.any([signal, promptSignal])),
    });
    const agentName = agent.handle.info?.name ?? source.name;
    const askSignIn = async (signInSignal: AbortSignal): Promise<boolean> => {
      if (interact === undefined) return false;
      const target = { handle: agent.handle, agentName, source, cwd: flags.cwd };
      const result = await signIn(target, interact, signInSignal);
      if (result.kind !== 'restart') return result.kind === 'signed-in';
      typed = { ...typed, ...result.values };
      for (const secret of result.secrets) recording?.learn(secret);
      await agent.renew({ signal: signInSignal });
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
        return withSignIn(
          () => openWanted(agent, wanted, choice, sessionSignal),
          () => askSignIn(sessionSignal),
        );
      },
      async [Symbol.asyncDispose]() {
        await agent.end();
        await journals.close();
        recording?.[Symbol.dispose]();
      },
    };
  } catch (error) {
    await journals.close();
    recording?.[Symbol.dispose]();
    throw error;
  }
}

/** A given level counts; without one a person is asked, and where nobody is, reading is allowed. */
function toPolicy({ approve }: ConversationFlags, { rules }: Configuration, isPersonThere: boolean): Policy {
  if (approve !== undefined) return { approve: { level: approve, given: true }, rules };
  return { approve: { level: isPersonThere ? 'ask' : 'reads', given: false }, rules };
}

/** With the full name of the model our own agent is to use, when there is one. */
type WantedConversation = PreparedConversation & { readonly model?: string };

/** A `provider/model` as our own agent writes it; undefined for a model that keeps the provider. */
function fullModel(model: string | undefined): string | undefined {
  const [, provider, name] = /^\s*([^/\s][^/]*?)\s*\/\s*(\S.*?)\s*$/su.exec(model ?? '') ?? [];
  return provider === undefined || name === undefined ? undefined : `${provider.toLowerCase()}/${name}`;
}

async function openWanted(
  agent: SupervisedAgent,
  { flags, mcpServers, model }: WantedConversation,
  choice: SessionChoice,
  signal: AbortSignal,
): Promise<Session> {
  checkMcpServers(agent.handle, mcpServers);
  const sessionId =
    choice.kind === 'latest' ? await findLatestSession(agent.handle, flags.cwd, signal) : toSessionId(choice);
  const open = agent.openSession({
    cwd: flags.cwd,
    additionalDirectories: flags.additionalDirectories,
    mcpServers,
    signal,
    ...(sessionId !== undefined && { resume: { sessionId } }),
  });
  const session = await open.catch((error: unknown) => {
    if (model !== undefined && error instanceof RpcError && isUnknownProvider(error.data)) {
      throw new CliError('not-offered', `--model: ${error.message}`, { cause: error });
    }
    if (sessionId === undefined || !(error instanceof RpcError) || error.code !== acpCodes.resourceNotFound) {
      throw error;
    }
    throw new CliError('not-offered', `--session: ${agent.handle.name} has no session "${sessionId}"`, {
      cause: error,
    });
  });
  if (flags.mode !== undefined) await session.setMode(flags.mode, { signal });
  const wantedModel = model ?? flags.model;
  if (wantedModel !== undefined) await session.setModel(wantedModel, { signal });
  for (const { id, value } of flags.settings) await session.setOption(id, value, { signal });
  return session;
}

/** Our own agent refused the model it was to begin with. */
function isUnknownProvider(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'code' in data && data.code === 'unknown-provider';
}

function toSessionId(choice: Exclude<SessionChoice, { readonly kind: 'latest' }>): string | undefined {
  return choice.kind === 'id' ? choice.sessionId : undefined;
}

async function checkFolder(flag: string, folder: string): Promise<void> {
  const stats = await stat(folder).catch((error: unknown) => {
    throw new CliError('usage', `${flag} ${folder}: ${toFileReason(error)}`, { cause: error });
  });
  if (!stats.isDirectory()) throw new CliError('usage', `${flag} ${folder}: is not a folder`);
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
