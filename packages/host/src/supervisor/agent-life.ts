import type { AgentConnection } from '../agent/agent-connection.ts';
import type { StartOptions, SuperviseOptions } from './supervised-agent.ts';

/** An agent from its start to its end. */
export interface Life {
  readonly handle: AgentConnection;
  /** Settles when it has ended, and all about it was told. */
  readonly ended: Promise<void>;
  isOver(): boolean;
}

/** How a life is begun. */
export interface OpenLifeOptions extends StartOptions {
  /** Called in the middle of telling its end, with what names the life. */
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
      const told = onEvent(event);
      if (event.type !== 'agent-end') return told;
      isOver = true;
      onEnd(ended);
      end();
      return told;
    },
    ...(signal !== undefined && { signal }),
  });
  return { handle, ended, isOver: () => isOver };
}
