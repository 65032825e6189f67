import { createAgent, type AgentCapabilities } from '@parley/acp';
import { memoryPair, RpcError } from '@parley/wire';
import { onTestFinished } from 'vitest';
import {
  connectAgent,
  superviseAgent,
  type HostEvent,
  type Interact,
  type Policy,
  type SupervisedAgent,
  type SuperviseOptions,
} from '../src/index.ts';
import { approve } from './harness.ts';

/** What an agent of these tests does with a prompt; it is the prompt's text. */
export type Behaviour =
  /** Says the text, and ends its turn. */
  | `say ${string}`
  /** Opens a tool call, and goes on until it is cancelled. */
  | 'wait'
  /** Opens a tool call, and continues even when it fails. */
  | 'deaf'
  /** Opens a tool call, and dies. */
  | 'die'
  /** Ends its turn, and says something afterwards. */
  | 'late'
  /** Asks for a permission, and reports the outcome. */
  | 'ask';

/** How the agents of a test are. */
export interface MortalOptions extends Partial<Omit<SuperviseOptions, 'open' | 'onEvent'>> {
  readonly capabilities?: AgentCapabilities;
  readonly policy?: Policy;
  readonly interact?: Interact;
  /** Delays the handling of each update. */
  readonly slowReader?: () => Promise<void>;
  /** Returns the error that the next start fails with, if any. */
  readonly failStart?: () => Error | undefined;
  /** Methods that are refused, by now. */
  readonly refuses?: ReadonlySet<string>;
}

/** A supervised agent in this process, which dies on command. */
export interface Mortal {
  readonly agent: SupervisedAgent;
  readonly events: readonly HostEvent[];
  /** How many were started. */
  starts(): number;
  /** Ends the running one as a crash would. */
  crash(): Promise<void>;
  /** All requests to these agents, in order. */
  readonly requests: readonly string[];
  /** Settles with the first event from now on that is so. */
  next(isIt: (event: HostEvent) => boolean): Promise<HostEvent>;
}

/** Sessions and their messages that the agents of one test store. */
type Disk = Map<string, string[]>;

/** Supervises an agent in this process; it is ended after the test. */
export async function superviseMortal(options: MortalOptions = {}): Promise<Mortal> {
  const {
    capabilities = {},
    policy = approve('all'),
    interact,
    slowReader,
    failStart,
    refuses = new Set(),
    ...others
  } = options;
  const disk: Disk = new Map();
  const requests: string[] = [];
  const events: HostEvent[] = [];
  const waiting = new Set<(event: HostEvent) => void>();
  let starts = 0;
  let crash = (): Promise<void> => Promise.resolve();

  function asked(method: string): void {
    requests.push(method);
    if (refuses.has(method)) throw new RpcError(-32603, `${method}: not today`);
  }

  async function start(transport: Parameters<ReturnType<typeof createAgent>['connect']>[0]): Promise<void> {
    const agent = createAgent({
      info: { name: 'mortal', version: String(starts) },
      capabilities,
      handlers: {
        'session/new': () => {
          asked('session/new');
          const sessionId = `session-${disk.size + 1}`;
          disk.set(sessionId, []);
          return {
            sessionId,
            modes: {
              currentModeId: 'a',
              availableModes: [
                { id: 'a', name: 'A' },
                { id: 'b', name: 'B' },
              ],
            },
          };
        },
        'session/resume': () => {
          asked('session/resume');
          return {};
        },
        'session/load': async ({ sessionId }, { update }) => {
          asked('session/load');
          for (const text of disk.get(sessionId) ?? []) {
            await update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
          }
          return {};
        },
        'session/set_mode': ({ modeId }) => {
          asked(`session/set_mode ${modeId}`);
          return {};
        },
        'session/prompt': async ({ sessionId, prompt: [block] }, { update, signal, client }) => {
          const text = block?.type === 'text' ? block.text : '';
          requests.push(`prompt ${text}`);
          const say = async (words: string): Promise<void> => {
            disk.get(sessionId)?.push(words);
            await update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: words } });
          };
          const openCall = { sessionUpdate: 'tool_call', toolCallId: 'call-1', title: 'Work' } as const;
          if (text.startsWith('say ')) await say(text.slice(4));
          if (text === 'wait' || text === 'deaf' || text === 'die') await update(openCall);
          if (text === 'wait') await new Promise((resolve) => signal.addEventListener('abort', resolve));
          if (text === 'deaf') await new Promise(() => {});
          if (text === 'die') {
            await crash();
            await new Promise(() => {});
          }
          if (text === 'late') setTimeout(() => void say('too late').catch(() => undefined));
          if (text === 'ask') {
            const { outcome } = await client.request('session/request_permission', {
              sessionId,
              toolCall: { toolCallId: 'call-1', kind: 'edit', title: 'Edit' },
              options: [{ optionId: 'yes', name: 'Yes', kind: 'allow_once' }],
            });
            await say(outcome.outcome);
          }
          return { stopReason: signal.aborted ? 'cancelled' : 'end_turn' };
        },
      },
    }).connect(transport);
    crash = async () => {
      await agent.close();
    };
  }

  const agent = await superviseAgent({
    restart: { delayMs: 0 },
    ...others,
    open: async (startOptions) => {
      const error = failStart?.();
      if (error !== undefined) throw error;
      starts += 1;
      const [client, transport] = memoryPair();
      await start(transport);
      return connectAgent({
        ...startOptions,
        transport: client,
        name: 'mortal',
        clientInfo: { name: 'test', version: '1.0.0' },
        policy,
        ...(interact !== undefined && { interact }),
      });
    },
    onEvent: (event) => {
      events.push(event);
      for (const look of waiting) look(event);
      return event.type === 'update' ? slowReader?.() : undefined;
    },
  });
  onTestFinished(() => agent.end());
  return {
    agent,
    events,
    requests,
    starts: () => starts,
    crash: () => crash(),
    next: (isIt) =>
      new Promise((resolve) => {
        const look = (event: HostEvent): void => {
          if (!isIt(event)) return;
          waiting.delete(look);
          resolve(event);
        };
        waiting.add(look);
      }),
  };
}

/** A prompt of one text. */
export function toPrompt(behaviour: Behaviour): [{ readonly type: 'text'; readonly text: string }] {
  return [{ type: 'text', text: behaviour }];
}
