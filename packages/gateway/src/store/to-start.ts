import type { UseEventLogOptions } from '@parley/host';
import { isJsonObject } from '@parley/wire';
import { workspaceOption } from '../bridge/launch-plan.ts';

/** How the event log of an AAP session begins, by what lists of the AAP server show of it. */
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
