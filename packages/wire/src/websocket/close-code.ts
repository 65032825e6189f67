import type { CloseReason } from '../transport.ts';
import type { WebSocketEvent } from './web-socket-like.ts';

/** The close code that we send when we end a WebSocket. Source: RFC 6455, section 7.4.1, and the IANA registry. */
export function closeCodeOf({ code }: CloseReason): number {
  switch (code) {
    case 'local':
    case 'end-of-input':
    case 'exited':
      return normal;
    case 'stalled':
      return tryAgainLater;
    case 'failed':
      return internalError;
  }
}

/** What the end of a WebSocket means, by its `close` event. */
export function toCloseReason({ code, reason = '' }: WebSocketEvent, errorMessage?: string): CloseReason {
  if (code === normal || code === goingAway || code === noCode) {
    return { code: 'end-of-input', message: `the peer closed the socket${quoted(reason)}` };
  }
  if (code === undefined || code === abnormal) {
    return { code: 'failed', message: `lost the socket${quoted(errorMessage ?? '')}` };
  }
  return { code: 'failed', message: `the peer closed the socket with code ${code}${quoted(reason)}` };
}

function quoted(text: string): string {
  return text === '' ? '' : `: ${text}`;
}

const normal = 1000;
const goingAway = 1001;
const noCode = 1005;
const abnormal = 1006;
const internalError = 1011;
const tryAgainLater = 1013;
