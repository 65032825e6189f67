import type { SessionConfigOption, SessionModeState } from '@parley/acp';
import type { AgentSession } from '../../agent-session/agent-session.ts';

/** What an open session lets its client set. */
export interface OfferedSettings {
  readonly modes?: SessionModeState;
  readonly configOptions?: readonly SessionConfigOption[];
}

/** What an open session lets its client set now. */
export function settingsOf({ modes, configOptions }: AgentSession): OfferedSettings {
  return {
    ...(modes !== undefined && { modes }),
    ...(configOptions !== undefined && { configOptions }),
  };
}

/** Sets an option of a session, and returns all options with their new values. */
export async function setOption(
  session: AgentSession,
  id: string,
  value: string | boolean,
): Promise<readonly SessionConfigOption[]> {
  const { configOptions = [], models } = session;
  // What old agents list as models beside their options is chosen as one.
  const isModel = id === 'model' && models !== undefined && configOptions.every((each) => each.id !== id);
  if (isModel && typeof value === 'string') await session.setModel(value);
  else await session.setOption(id, value);
  return session.configOptions ?? [];
}
