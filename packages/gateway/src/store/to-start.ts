import type { UseEventLogOptions } from '@parley/host';
import { isJsonObject } from '@parley/wire';
import { workspaceOption } from '../bridge/launch-plan.ts';

/** The first event of an AAP session's event log, from its entry in the server's list. */
export function toStart(head: unknown, cwd: string): UseEventLogOptions['start'] {
  const { agent, tenant } = isJsonObject(head) ? head : {};
  const { name, options } = isJsonObject(agent) ? agent : {};
  const chosen = isJsonObject(options) ? options[workspaceOption] : undefined;
  return {
    agent: typeof name === 'string' ? name : '',
    cwd: typeof chosen === 'string' ? chosen : cwd,
    origin: 'aap',
    ...(typeof tenant === 'string' && { owner: { tokenId: tenant } }),
  };
}
