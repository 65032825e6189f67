import type { StopReason } from '../turn-event.ts';

/** An event that an operator may want to count or log. */
export type ServerEvent =
  | {
      readonly type: 'turn-start';
      readonly sessionId: string;
      readonly turnId: string;
      readonly agent: string;
    }
  | {
      readonly type: 'first-event';
      readonly sessionId: string;
      readonly turnId: string;
      readonly agent: string;
      /** From the start of the turn to the agent's first output. */
      readonly ms: number;
    }
  | {
      readonly type: 'turn-stop';
      readonly sessionId: string;
      readonly turnId: string;
      readonly agent: string;
      readonly stopReason: StopReason;
      readonly detail?: string;
      readonly ms: number;
    }
  | {
      /** A failure that no application can resolve. */
      readonly type: 'fault';
      readonly message: string;
      readonly requestId?: string;
      readonly cause: unknown;
    };
