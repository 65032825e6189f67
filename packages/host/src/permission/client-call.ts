/**
 * The ids of calls that the client itself records begin with it: of what an agent does through the client without having
 * announced a call. The agent says nothing about them.
 */
export const clientCallPrefix = 'client_';

/** Whether a call is one that the client itself recorded. */
export function isClientCall(toolCallId: string): boolean {
  return toolCallId.startsWith(clientCallPrefix);
}
