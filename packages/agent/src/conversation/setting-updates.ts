import type { SessionUpdate } from '@parley/acp';
import { configOptions } from './config-options.ts';
import type { Conversation } from './conversation.ts';

/** Sends settings that changed by another way than `session/set_config_option`. */
export function configOptionUpdate(conversation: Conversation): SessionUpdate {
  return { sessionUpdate: 'config_option_update', configOptions: configOptions(conversation) };
}

/** Sends a mode, by the id it was set with. */
export function currentModeUpdate(currentModeId: string): SessionUpdate {
  return { sessionUpdate: 'current_mode_update', currentModeId };
}
