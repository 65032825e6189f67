import { agentRequests, Invalid } from '@parley/acp';
import type { Settings } from '../agent-session/settings/settings.ts';
import type { Redaction } from './redaction.ts';

/** What a session lets the client set, without secrets. */
export function redactSettings<Given extends Settings>(
  { modes, configOptions, models, ...others }: Given,
  redaction: Redaction,
): Settings & Omit<Given, keyof Settings> {
  const output = {
    ...(modes !== undefined && { modes }),
    ...(configOptions !== undefined && { configOptions }),
  };
  const readable = redaction.isNeeded ? hide(output, redaction) : output;
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

function hide(output: Settings, redaction: Redaction): Pick<Settings, 'modes' | 'configOptions'> {
  const hidden = agentRequests['session/new'].parseResult(redaction.value({ sessionId: '', ...output }));
  if (hidden instanceof Invalid) return {};
  const { modes, configOptions } = hidden;
  return {
    ...(modes !== undefined && { modes }),
    ...(configOptions !== undefined && { configOptions }),
  };
}
