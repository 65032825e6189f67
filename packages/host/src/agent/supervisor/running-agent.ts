import type { AgentConnection } from '../agent-connection.ts';
import type { StartOptions, SuperviseOptions } from './supervised-agent.ts';

/** An agent from its start to its end. */
export interface RunningAgent {
  readonly connection: AgentConnection;
  /** Settles when it has ended, and all its events were emitted. */
  readonly ended: Promise<void>;
  hasEnded(): boolean;
}

/** Options of {@link runAgent}. */
export interface RunAgentOptions extends StartOptions {
  /** Called while its end is emitted, with its agent connection. */
  readonly onEnd: (ended: Promise<void>) => void;
}

/** Starts an agent, and follows it to its end, which may come before it is there. */
export async function runAgent(
  open: SuperviseOptions['open'],
  { onEvent, onEnd, signal }: RunAgentOptions,
): Promise<RunningAgent> {
  let isOver = false;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const connection = await open({
    onEvent: (event) => {
      const emitted = onEvent(event);
      if (event.type !== 'agent-end') return emitted;
      isOver = true;
      onEnd(ended);
      end();
      return emitted;
    },
    ...(signal !== undefined && { signal }),
  });
  return { connection, ended, hasEnded: () => isOver };
}
