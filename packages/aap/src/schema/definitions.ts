import { agentInfoSchemas } from './agent-info.ts';
import { contentBlockSchemas } from './content-block.ts';
import { endpointSchemas } from './endpoint.ts';
import { messageSchemas } from './message.ts';
import type { Schema } from './schema.ts';
import { toolSchemas } from './tool.ts';
import { turnEventSchemas } from './turn-event.ts';

/** All schemas of the protocol, by the name of the type each describes. */
export const definitions: Readonly<Record<DefinitionName, Schema>> = {
  ...agentInfoSchemas,
  ...contentBlockSchemas,
  ...toolSchemas,
  ...messageSchemas,
  ...turnEventSchemas,
  ...endpointSchemas,
};

/** What is known of each schema when this is compiled. */
export type Definitions = typeof agentInfoSchemas &
  typeof contentBlockSchemas &
  typeof toolSchemas &
  typeof messageSchemas &
  typeof turnEventSchemas &
  typeof endpointSchemas;

/** The name of a type of the protocol. */
export type DefinitionName = keyof Definitions;
