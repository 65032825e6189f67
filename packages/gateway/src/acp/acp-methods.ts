/**
 * What a message of a client does, as far as its token decides about it.
 *
 * - `connection`: concerns the client's own connection.
 * - `list`: lists sessions; the answer is filtered.
 * - `begin`: begins a session.
 * - `fork`: begins a session as a copy of the one that is named.
 * - `look`, `change`: reads or changes the session that is named.
 * - `look-all`: reads what is of all sessions.
 * - `administer`: concerns more than one session, such as how an agent is signed in, which all clients of the agent share.
 */
export type AcpMethodUse =
  | 'connection'
  | 'list'
  | 'begin'
  | 'fork'
  | 'look'
  | 'change'
  | 'look-all'
  | 'administer';

/** What the methods of ACP do, the unstable ones included. */
export const acpMethodUses: ReadonlyMap<string, AcpMethodUse> = new Map<string, AcpMethodUse>([
  ['initialize', 'connection'],
  ['authenticate', 'administer'],
  ['logout', 'administer'],
  ['auth/status', 'connection'],
  ['providers/list', 'administer'],
  ['providers/set', 'administer'],
  ['providers/disable', 'administer'],
  ['session/new', 'begin'],
  ['session/load', 'look'],
  ['session/resume', 'look'],
  ['session/fork', 'fork'],
  ['session/list', 'list'],
  ['session/status', 'look'],
  ['session/delete', 'change'],
  ['session/archive', 'change'],
  ['session/unarchive', 'change'],
  ['session/set_title', 'change'],
  ['session/close', 'change'],
  ['session/set_mode', 'change'],
  ['session/set_config_option', 'change'],
  ['session/prompt', 'change'],
  ['session/cancel', 'change'],
  // A server that the client itself has brought along, on this connection.
  ['mcp/message', 'connection'],
  ['$/cancel_request', 'connection'],
]);

/**
 * The kind of use of a message. A message with an unknown method may do anything to the session that it names, or to
 * all sessions.
 */
export function useOf(method: string, params: unknown): AcpMethodUse {
  return acpMethodUses.get(method) ?? (namesSession(params) ? 'change' : 'administer');
}

function namesSession(params: unknown): boolean {
  return typeof params === 'object' && params !== null && 'sessionId' in params;
}
