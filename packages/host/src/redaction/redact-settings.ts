import { agentRequests, Invalid } from '@parley/acp';
import type { Settings } from '../agent-session/settings.ts';
import type { Redaction } from './redaction.ts';

/** What a session lets the client set, without secrets. */
export function redactSettings<Told extends Settings>(
  { modes, configOptions, models, ...others }: Told,
  redaction: Redaction,
): Settings & Omit<Told, keyof Settings> {
  const told = {
    ...(modes !== undefined && { modes }),
    ...(configOptions !== undefined && { configOptions }),
  };
  const readable = redaction.isNeeded ? hide(told, redaction) : told;
  return {
    ...others,
    ...readable,
    ...(models !== undefined && {
      models: models.map(({ name, ...model }) => ({
        ...model,
        ...(name !== undefined && { name: redaction.text(name) }),
      })),
    }),
  };
}

function hide(told: Settings, redaction: Redaction): Pick<Settings, 'modes' | 'configOptions'> {
  const hidden = agentRequests['session/new'].parseResult(redaction.value({ sessionId: '', ...told }));
  if (hidden instanceof Invalid) return {};
  const { modes, configOptions } = hidden;
  return {
    ...(modes !== undefined && { modes }),
    ...(configOptions !== undefined && { configOptions }),
  };
}
