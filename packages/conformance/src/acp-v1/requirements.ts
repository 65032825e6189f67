import { authentication } from './authentication.ts';
import { cancel } from './cancel.ts';
import { clientCapabilities } from './client-capabilities.ts';
import { initialize } from './initialize.ts';
import { jsonRpc } from './json-rpc.ts';
import { prompt } from './prompt.ts';
import type { AgentRequirement } from './requirement.ts';
import { schema } from './schema.ts';
import { session } from './session.ts';
import { settings } from './settings.ts';
import { keptSession } from './stored-session.ts';
import { tolerance } from './tolerance.ts';
import { transport } from './transport.ts';

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
