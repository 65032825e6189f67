import type { HostContext } from '../../host-context.ts';
import type { Subagent } from './subagent.ts';

/**
 * The host context of a sub-agent: its requests and events carry its id. It never uses the files and terminals of a
 * client, which may not know the sub-agent.
 */
export function subagentHost({ clients: _unknown, ...host }: HostContext, asking: Subagent): HostContext {
  const mark = { sessionId: asking.id, subagent: asking.name };
  return {
    ...host,
    subagent: asking.subagent,
    emit: (event) => {
      switch (event.type) {
        case 'permission-request':
        case 'permission':
        case 'elicitation-request':
        case 'elicitation':
        case 'file-write':
        case 'terminal-start':
        case 'terminal-end':
          host.emit({ ...event, ...mark });
          break;
        default:
          host.emit(event);
      }
    },
  };
}
