import type { AgentRequirement } from './agent-requirement.ts';
import { authentication } from './requirements/authentication.ts';
import { cancel } from './requirements/cancel.ts';
import { clientCapabilities } from './requirements/client-capabilities.ts';
import { initialize } from './requirements/initialize.ts';
import { jsonRpc } from './requirements/json-rpc.ts';
import { prompt } from './requirements/prompt.ts';
import { schema } from './requirements/schema.ts';
import { session } from './requirements/session.ts';
import { settings } from './requirements/settings.ts';
import { storedSession } from './requirements/stored-session.ts';
import { subagents } from './requirements/subagents.ts';
import { tolerance } from './requirements/tolerance.ts';
import { toolCalls } from './requirements/tool-calls.ts';
import { transport } from './requirements/transport.ts';

/** What an agent has to do by version 1 of the protocol, with how it is checked. */
export const agentChecks: readonly AgentRequirement[] = [
  ...transport,
  ...jsonRpc,
  ...initialize,
  ...schema,
  ...session,
  ...prompt,
  ...cancel,
  ...toolCalls,
  ...storedSession,
  ...settings,
  ...authentication,
  ...clientCapabilities,
  ...subagents,
  ...tolerance,
];
