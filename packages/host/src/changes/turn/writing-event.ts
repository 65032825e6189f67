import { Invalid, parseSessionUpdate, type SessionUpdate } from '@parley/acp';
import type { HostEvent } from '../../event/host-event.ts';
import type { LoggedEvent } from '../../event/logged-event.ts';
import type { WritingEvent } from './attribution.ts';

/** Extracts what an event says about possible file writes, if anything. */
export function toWritingEvent(event: HostEvent | LoggedEvent): WritingEvent | undefined {
  switch (event.type) {
    case 'update': {
      if (event.replay === true) return undefined;
      const view = 'view' in event ? event.view : viewOf(event.update);
      if (view?.sessionUpdate !== 'tool_call' && view?.sessionUpdate !== 'tool_call_update') return undefined;
      return { type: 'tool-call', call: { ...view, toolCallId: nameOf(view.toolCallId, event) } };
    }
    case 'permission-request': {
      const { toolCall } = event;
      return { ...event, toolCall: { ...toolCall, toolCallId: nameOf(toolCall.toolCallId, event) } };
    }
    case 'permission':
      return { ...event, toolCallId: nameOf(event.toolCallId, event) };
    case 'file-write':
    case 'terminal-start':
    case 'terminal-end':
      return event;
    default:
      return undefined;
  }
}

/** Two sub-agents may use the same id. */
function nameOf(toolCallId: string, { subagent }: { readonly subagent?: string }): string {
  return subagent === undefined ? toolCallId : `${subagent} ${toolCallId}`;
}

function viewOf(update: unknown): SessionUpdate | undefined {
  const view = parseSessionUpdate(update);
  return view instanceof Invalid ? undefined : view;
}
