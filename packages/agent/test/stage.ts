import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@parley/acp';
import type {
  AgentPeer,
  AvailableCommand,
  ClientCapabilities,
  ClientOptions,
  InitializeResponse,
  LoadSessionRequest,
  NewSessionResponse,
  RequestPermissionOutcome,
  RequestPermissionRequest,
  SessionUpdate,
  StopReason,
} from '@parley/acp';
import { memoryPair } from '@parley/wire';
import { createCodingAgent } from '../src/coding-agent.ts';
import type { CodingAgentOptions } from '../src/coding-agent.ts';
import type { Environment } from '../src/environment.ts';
import { createNodeEnvironment } from '../src/node/environment.ts';

/** How the client of a stage behaves. */
export interface StageOptions extends CodingAgentOptions {
  /** Answers permission questions. @default allows once */
  readonly onPermission?: (
    request: RequestPermissionRequest,
    signal: AbortSignal,
  ) => RequestPermissionOutcome | Promise<RequestPermissionOutcome>;
  /** Hears each update when it comes; what it returns is waited for. */
  readonly onUpdate?: (update: SessionUpdate, sessionId: string) => void | Promise<void>;
  readonly capabilities?: ClientCapabilities;
  readonly extensions?: ClientOptions['extensions'];
  readonly onElicitation?: ClientOptions['handlers']['elicitation/create'];
  /** Handlers of the client. */
  readonly handlers?: Partial<ClientOptions['handlers']>;
  readonly environment?: Environment;
  /** The folder to work in. @default a temporary folder */
  readonly directory?: string;
  /** Whether to open a session at once. @default true */
  readonly first?: boolean;
}

/** An agent and a scripted client in one process, with a temporary folder to work in. */
export interface Stage extends AsyncDisposable {
  readonly directory: string;
  readonly agent: AgentPeer;
  /** The first session, and the modes it was opened with. */
  readonly sessionId: string;
  readonly modes: NewSessionResponse['modes'];
  /** The params of `session/load` and `session/resume` for this session. */
  at(sessionId: string): LoadSessionRequest;
  readonly initialized: InitializeResponse;
  /** All updates of all sessions, except the lists of commands. */
  readonly updates: readonly SessionUpdate[];
  /** The lists of commands, by session. */
  readonly commands: ReadonlyMap<string, readonly AvailableCommand[]>;
  readonly permissions: readonly RequestPermissionRequest[];
  openSession(cwd?: string): Promise<string>;
  /** Sends a prompt to the session, by default the first one. */
  prompt(text: string, sessionId?: string): Promise<StopReason>;
  cancel(sessionId?: string): Promise<void>;
  /** Closes the client's end. */
  close(): Promise<void>;
}

const allow: RequestPermissionOutcome = { outcome: 'selected', optionId: 'allow_once' };

/** Opens a stage with one session in its folder. */
export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const { onPermission, onUpdate, onElicitation, capabilities, extensions, environment, ...others } = options;
  const { directory: given, first: hasFirst = true, handlers, ...agentOptions } = others;
  const directory = given ?? (await realpath(await mkdtemp(join(tmpdir(), 'parley-agent-'))));
  const updates: SessionUpdate[] = [];
  const commands = new Map<string, readonly AvailableCommand[]>();
  const permissions: RequestPermissionRequest[] = [];
  const [left, right] = memoryPair();
  const agentSide = createCodingAgent(environment ?? createNodeEnvironment(), agentOptions).connect(left);
  const client = createClient({
    info: { name: 'stage', version: '1' },
    ...(capabilities === undefined ? {} : { capabilities }),
    ...(extensions === undefined ? {} : { extensions }),
    handlers: {
      'session/update': ({ sessionId, update }) => {
        if (update.sessionUpdate === 'available_commands_update') {
          commands.set(sessionId, update.availableCommands);
        } else updates.push(update);
        return onUpdate?.(update, sessionId);
      },
      'session/request_permission': async (request, { signal }) => {
        permissions.push(request);
        return { outcome: (await onPermission?.(request, signal)) ?? allow };
      },
      ...(onElicitation === undefined ? {} : { 'elicitation/create': onElicitation }),
      ...handlers,
    },
  }).connect(right);
  const initialized = await client.initialize();
  const open = (cwd: string): Promise<NewSessionResponse> =>
    client.agent.request('session/new', { cwd, mcpServers: [] });
  const { sessionId: first, modes } = hasFirst ? await open(directory) : { sessionId: '', modes: undefined };
  return {
    directory,
    agent: client.agent,
    initialized,
    updates,
    commands,
    permissions,
    sessionId: first,
    modes,
    at: (sessionId) => ({ sessionId, cwd: directory, mcpServers: [] }),
    openSession: async (cwd = directory) => (await open(cwd)).sessionId,
    prompt: async (text, sessionId = first) => {
      const prompt = [{ type: 'text', text }] as const;
      const { stopReason } = await client.agent.request('session/prompt', { sessionId, prompt });
      return stopReason;
    },
    cancel: (sessionId = first) => client.agent.notify('session/cancel', { sessionId }),
    close: () => client.close(),
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await agentSide.closed;
      if (given === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The texts the agent said, one an update. */
export function said(updates: readonly SessionUpdate[]): string[] {
  return updates.flatMap((update) =>
    update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
      ? [update.content.text]
      : [],
  );
}

/** The tool calls and their updates, in order. */
export function toolUpdates(
  updates: readonly SessionUpdate[],
): Extract<SessionUpdate, { readonly sessionUpdate: 'tool_call' | 'tool_call_update' }>[] {
  return updates.filter(
    (update) => update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update',
  );
}

/** The statuses of each tool call: `pending in_progress completed`. */
export function courses(updates: readonly SessionUpdate[]): string[] {
  const byCall = new Map<string, string[]>();
  for (const { toolCallId, status } of toolUpdates(updates)) {
    const course = byCall.get(toolCallId) ?? [];
    byCall.set(toolCallId, course);
    if (status !== undefined && course.at(-1) !== status) course.push(status);
  }
  return [...byCall.values()].map((course) => course.join(' '));
}

/** The course of a call that was run, and succeeded. */
export const succeeded = 'pending in_progress completed';
/** The course of a call that was run, and failed. */
export const ranAndFailed = 'pending in_progress failed';
/** The course of a call that was never run. */
export const refused = 'pending failed';
