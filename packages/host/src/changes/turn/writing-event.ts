import { Invalid, parseSessionUpdate, type SessionUpdate } from '@parley/acp';
import type { HostEvent } from '../../event/host-event.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { WritingEvent } from './attribution.ts';

/** What an event says about what may write files, if anything. */
export function toWritingEvent(event: HostEvent | LoggedEvent): WritingEvent | undefined {
  switch (event.type) {
    case 'update': {
      if (event.replay === true) return undefined;
      const view = 'view' in event ? event.view : viewOf(event.update);
      if (view?.sessionUpdate !== 'tool_call' && view?.sessionUpdate !== 'tool_call_update') return undefined;
      return { type: 'tool-call', call: view };
    }
    case 'permission-request':
    case 'permission':
    case 'file-write':
    case 'terminal-start':
    case 'terminal-end':
      return event;
    default:
      return undefined;
  }
}

function viewOf(update: unknown): SessionUpdate | undefined {
  const view = parseSessionUpdate(update);
  return view instanceof Invalid ? undefined : view;
}
