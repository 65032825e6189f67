import type { AgentRequirement } from './requirement.ts';
import { authentication } from './requirements/authentication.ts';
import { cancel } from './requirements/cancel.ts';
import { clientCapabilities } from './requirements/client-capabilities.ts';
import { initialize } from './requirements/initialize.ts';
import { jsonRpc } from './requirements/json-rpc.ts';
import { prompt } from './requirements/prompt.ts';
import { schema } from './requirements/schema.ts';
import { session } from './requirements/session.ts';
import { settings } from './requirements/settings.ts';
import { keptSession } from './requirements/stored-session.ts';
import { tolerance } from './requirements/tolerance.ts';
import { transport } from './requirements/transport.ts';

/** What an agent has to do by version 1 of the protocol, under the ids of the public conformance kit. */
export const agentRequirements: readonly AgentRequirement[] = [
  ...transport,
  ...jsonRpc,
  ...initialize,
  ...schema,
  ...session,
  ...prompt,
  ...cancel,
  ...keptSession,
  ...settings,
  ...authentication,
  ...clientCapabilities,
  ...tolerance,
];
