import { Invalid, parseSessionUpdate } from '@parley/acp';
import type { HostEvent } from '@parley/host';
import type { HubEvent } from '../hub/hub-client.ts';

/** An event of a hub's session as the outputs of `run` and `chat` take it; undefined for what they do not show. */
export function toHostEvent(event: HubEvent, sessionId: string): HostEvent | undefined {
  switch (event.type) {
    case 'update': {
      const { update, subagent, late = false, replay = false } = event;
      const parsed = parseSessionUpdate(update);
      const view = parsed instanceof Invalid ? ({ sessionUpdate: 'unknown', raw: {} } as const) : parsed;
      const mark = subagent === undefined ? {} : { subagent };
      return { type: 'update', sessionId, ...mark, update, text: undefined, view, late, replay };
    }
    case 'journal-start':
    case 'aap':
    case 'changes-undone':
    case 'changes-redone':
    case 'hunks-kept':
    case 'hunks-reverted':
    case 'changes-committed':
    case 'interruption':
    case 'omission':
    case 'unknown':
      return undefined;
    default:
      return event;
  }
}
