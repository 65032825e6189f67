import { fieldsOf } from './session-fields.ts';

/** What the capabilities of an agent say about its sessions. */
export interface AgentAbilities {
  /** They outlive the connection, so that another one can name them. */
  readonly storeSessions: boolean;
  readonly closeSessions: boolean;
}

/** Reads the result of `initialize`. */
export function abilitiesOf(result: unknown): AgentAbilities {
  const capabilities = fieldsOf(fieldsOf(result)['agentCapabilities']);
  const session = fieldsOf(capabilities['sessionCapabilities']);
  const can = (name: string): boolean => session[name] !== undefined && session[name] !== null;
  return {
    storeSessions: capabilities['loadSession'] === true || ['list', 'resume', 'delete', 'fork'].some(can),
    closeSessions: can('close'),
  };
}
