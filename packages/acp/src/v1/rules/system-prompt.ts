import type { SystemPrompt } from '../../schema/v1/unstable.ts';
import { byAgent, type Declared } from './gate.ts';
import { type Objection, undeclared, unknownTag } from './objection.ts';

/** An agent that takes a system prompt adds it to its own; to replace its own takes another capability. */
export function checkSystemPrompt(
  { systemPrompt }: { readonly systemPrompt?: SystemPrompt },
  declared: Declared,
): Objection | undefined {
  if (systemPrompt === undefined) return undefined;
  switch (systemPrompt.mode) {
    case 'append':
      return undefined;
    case 'override':
      return override.isOpen(declared)
        ? undefined
        : undeclared('systemPrompt.mode', override, systemPrompt.mode);
    default:
      return unknownTag('systemPrompt.mode', '`append` or `override`', systemPrompt.mode);
  }
}

const override = byAgent(
  'sessionCapabilities.systemPrompt.mode.override',
  (agent) => agent.sessionCapabilities?.systemPrompt?.mode?.override,
);
