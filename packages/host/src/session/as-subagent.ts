import type { SubagentName } from '../event/subagent-name.ts';
import type { Interact } from '../interact.ts';

/** The same user, as a sub-agent asks it. */
export function asSubagent(user: Interact, subagent: SubagentName): Interact {
  const { permission, elicitation } = user;
  return {
    ...(permission !== undefined && {
      permission: (request, options) => permission.call(user, request, { ...options, subagent }),
    }),
    ...(elicitation !== undefined && {
      elicitation: (request, options) => elicitation.call(user, request, { ...options, subagent }),
    }),
  };
}
