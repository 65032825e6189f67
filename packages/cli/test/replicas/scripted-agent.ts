import { createAgent, type PromptContext, type PromptResponse } from '@parley/acp';
import type { AgentSpec } from '@parley/host';
import { memoryPair } from '@parley/wire';

/** A turn of a scripted agent. */
export interface ScriptedTurn extends Pick<PromptContext, 'client' | 'signal'> {
  readonly sessionId: string;
  readonly text: string;
  say(text: string): Promise<void>;
}

/** An agent in this process, and what it was asked. Its sessions outlive its connections. */
export interface ScriptedAgent {
  readonly spec: AgentSpec;
  /** The methods, in order. */
  readonly requests: string[];
  /** Connections that are open. */
  readonly open: Set<object>;
}

/** @param turn Ends with `end_turn`, or `cancelled`. */
export function scriptedAgent(turn: (turn: ScriptedTurn) => Promise<void>): ScriptedAgent {
  const requests: string[] = [];
  const open = new Set<object>();
  const connectAgent = async (): Promise<ReturnType<typeof memoryPair>[0]> => {
    const [client, transport] = memoryPair();
    const agent = createAgent({
      info: { name: 'scripted', version: '1.0.0' },
      capabilities: { sessionCapabilities: { resume: {} } },
      handlers: {
        'session/new': () => {
          requests.push('session/new');
          return { sessionId: `agent-session-${crypto.randomUUID()}` };
        },
        'session/resume': ({ sessionId }) => {
          requests.push(`session/resume ${sessionId}`);
          return {};
        },
        'session/prompt': async (request, context): Promise<PromptResponse> => {
          const last = request.prompt.at(-1);
          const text = last?.type === 'text' ? last.text : '';
          requests.push(`session/prompt ${text}`);
          const say = (part: string): Promise<void> =>
            context.update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: part } });
          const { client: asked, signal } = context;
          await turn({ client: asked, signal, sessionId: request.sessionId, text, say });
          return { stopReason: signal.aborted ? 'cancelled' : 'end_turn' };
        },
      },
    });
    const connection = agent.connect(transport);
    open.add(connection);
    void connection.closed.then(() => open.delete(connection));
    return Promise.resolve(client);
  };
  return {
    spec: { name: 'scripted', reach: { by: 'transport', connect: connectAgent } },
    requests,
    open,
  };
}
