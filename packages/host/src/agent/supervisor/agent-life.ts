import type { AgentConnection } from '../agent-connection.ts';
import type { StartOptions, SuperviseOptions } from './supervised-agent.ts';

/** An agent from its start to its end. */
export interface Life {
  readonly handle: AgentConnection;
  /** Settles when it has ended, and all its events were emitted. */
  readonly ended: Promise<void>;
  isOver(): boolean;
}

/** How a life is begun. */
export interface OpenLifeOptions extends StartOptions {
  /** Called while its end is emitted, with its agent connection. */
  readonly onEnd: (ended: Promise<void>) => void;
}

/** Starts an agent, and follows it to its end, which may come before it is there. */
export async function openLife(
  open: SuperviseOptions['open'],
  { onEvent, onEnd, signal }: OpenLifeOptions,
): Promise<Life> {
  let isOver = false;
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const handle = await open({
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
  return { handle, ended, isOver: () => isOver };
}
