import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createAgent,
  type AgentCapabilities,
  type AuthMethod,
  type NewSessionRequest,
  type NewSessionResponse,
  type PromptContext,
  type PromptRequest,
  type PromptResponse,
  type SessionUpdate,
} from '@parley/acp';
import type { AgentReach, AgentSpec, AgentStart } from '@parley/host';
import { memoryPair } from '@parley/wire';
import { onTestFinished } from 'vitest';

/** A turn of a scripted agent. */
export interface ScriptedTurn extends Pick<PromptContext, 'client' | 'signal' | 'update'> {
  readonly request: PromptRequest;
  /** The text of the prompt's last block. */
  readonly text: string;
  say(text: string): Promise<void>;
  /** Ends the agent as a crash would, and never settles. */
  die(): Promise<never>;
}

/** How an agent of a test behaves. */
export interface ScriptedAgentOptions {
  readonly capabilities?: AgentCapabilities;
  readonly version?: string;
  readonly authMethods?: readonly AuthMethod[];
  /** What a new session offers. */
  readonly offers?: Omit<NewSessionResponse, 'sessionId'> & { readonly models?: object };
  /** A turn; ends with `end_turn` unless it says otherwise. */
  readonly turn?: (turn: ScriptedTurn) => Promise<PromptResponse | void> | PromptResponse | void;
  /** @default as it should */
  readonly closes?: 'never';
  /** Called at each start, which it may refuse by throwing. */
  readonly onStart?: (start: AgentStart) => void;
  /** Called for each session that is opened or resumed. */
  readonly onSession?: (params: NewSessionRequest) => void;
  /** Its methods of the unstable protocol. @default `session/fork` */
  readonly unstable?: Readonly<Record<string, (params: object) => unknown>>;
  /** Called for each request, which it may refuse by throwing. */
  readonly onRequest?: (method: string, params: object) => void;
}

/** A scripted agent, with the requests that it received. */
export interface ScriptedAgent {
  readonly spec: AgentSpec;
  /** The methods, in order. */
  readonly requests: string[];
  readonly prompts: PromptRequest[];
}

/** An agent in this process. Its sessions outlive its connections, as those of an agent with a disk would. */
export function scriptedAgent(options: ScriptedAgentOptions = {}): ScriptedAgent {
  const {
    capabilities = {},
    version = '1.2.3',
    closes,
    offers = {},
    authMethods = [],
    turn,
    onStart,
    onSession,
    onRequest,
    unstable = {},
  } = options;
  const requests: string[] = [];
  const prompts: PromptRequest[] = [];
  let sessions = 0;
  const asked = (method: string, params: object): void => {
    requests.push(method);
    onRequest?.(method, params);
  };
  const reach: AgentReach = {
    by: 'transport',
    connect: (start) => {
      onStart?.(start);
      const [client, transport] = memoryPair();
      const agent = createAgent({
        info: { name: 'scripted', version },
        capabilities,
        authMethods,
        extensions: {
          ...Object.fromEntries(
            Object.entries(unstable).map(([method, run]) => [
              method,
              {
                handle: (params: unknown) => {
                  const given = typeof params === 'object' && params !== null ? params : {};
                  asked(`${method} ${JSON.stringify(given)}`, given);
                  return run(given);
                },
              },
            ]),
          ),
          'session/fork': {
            handle: (params) => {
              asked('session/fork', {});
              return { sessionId: `fork-of-${sessionOf(params)}` };
            },
          },
          'session/set_model': {
            handle: (params) => {
              asked(`session/set_model ${JSON.stringify(params)}`, {});
              return {};
            },
          },
        },
        handlers: {
          authenticate: (params) => {
            asked(`authenticate ${params.methodId}`, params);
            return {};
          },
          'session/new': (params) => {
            asked('session/new', params);
            onSession?.(params);
            sessions += 1;
            return { sessionId: `session-${sessions}`, ...offers };
          },
          'session/resume': (params) => {
            asked('session/resume', params);
            onSession?.({ mcpServers: [], ...params });
            return offers;
          },
          'session/load': async (params, { update }) => {
            asked('session/load', params);
            await update({
              sessionUpdate: 'agent_message_chunk',
              content: { type: 'text', text: 'replayed' },
            });
            return offers;
          },
          'session/close': async (params) => {
            asked('session/close', params);
            if (closes === 'never') await new Promise(() => {});
            return {};
          },
          'session/delete': (params) => {
            asked('session/delete', params);
            return {};
          },
          'session/set_mode': (params) => {
            asked(`session/set_mode ${params.modeId}`, params);
            return {};
          },
          'session/set_config_option': (params) => {
            asked(`session/set_config_option ${params.configId} ${params.value}`, params);
            const configOptions = offers.configOptions ?? [];
            return {
              configOptions: configOptions.map((option) =>
                option.id === params.configId && option.type === 'select' && typeof params.value === 'string'
                  ? { ...option, currentValue: params.value }
                  : option,
              ),
            };
          },
          'session/prompt': async (request, context) => {
            asked('session/prompt', request);
            prompts.push(request);
            const last = request.prompt.at(-1);
            const say = (text: string): Promise<void> =>
              context.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
            const ended = await turn?.({
              client: context.client,
              signal: context.signal,
              update: (update) => context.update(update),
              request,
              text: last?.type === 'text' ? last.text : '',
              say,
              die: async () => {
                await connection.close();
                return new Promise<never>(() => {});
              },
            });
            return ended ?? { stopReason: context.signal.aborted ? 'cancelled' : 'end_turn' };
          },
        },
      });
      const connection = agent.connect(transport);
      return Promise.resolve(client);
    },
  };
  return { spec: { name: 'scripted', reach }, requests, prompts };
}

function sessionOf(params: unknown): string {
  const isNamed = typeof params === 'object' && params !== null && 'sessionId' in params;
  return isNamed ? String(params.sessionId) : '';
}

/** A tool call, or more of it. */
export function call(
  toolCallId: string,
  fields: Partial<Extract<SessionUpdate, { sessionUpdate: 'tool_call' }>> = {},
): SessionUpdate {
  return { sessionUpdate: 'tool_call', toolCallId, title: toolCallId, ...fields };
}

/** More of a tool call. */
export function callUpdate(
  toolCallId: string,
  fields: Partial<Extract<SessionUpdate, { sessionUpdate: 'tool_call_update' }>> = {},
): SessionUpdate {
  return { sessionUpdate: 'tool_call_update', toolCallId, ...fields };
}

/** The usual options of a permission question. */
export const yesOrNo = [
  { optionId: 'yes', name: 'Yes', kind: 'allow_once' },
  { optionId: 'always', name: 'Always', kind: 'allow_always' },
  { optionId: 'no', name: 'No', kind: 'reject_once' },
] as const;

/** An empty folder, removed after the test. */
export async function folder(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), 'parley-bridge-')));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}
