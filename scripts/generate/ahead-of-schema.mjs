/**
 * What the protocol has, and the published schemas do not have yet, each with its source and date. An entry that a published schema has
 * is an error: it is removed then.
 */

/** Definitions of sub-agents: stable by the announcement of 20 November 2026; SDK 2.4.0 of 2 November has them in its unstable schema. */
const subagents = {
  definitions: [
    'SubagentUpdate',
    'SubagentCapabilities',
    'SubagentSessionCapabilities',
    'SessionCancelCapabilities',
    'StateUpdate',
    'RunningStateUpdate',
    'IdleStateUpdate',
    'RequiresActionStateUpdate',
    'UnknownStateUpdate',
    'ErrorStopReason',
    'SessionMessage',
    'SessionMessageChunk',
    'Usage',
  ],
  updates: ['subagent_update', 'session_message', 'session_message_chunk'],
};

/**
 * The tool-call content `session`: stable by the announcement of 20 November 2026. No schema has it, not even the unstable one of SDK 2.4.0 of 2 November; its fields are those of
 * https://agentclientprotocol.com/protocol/v1/draft/subagents, read on 22 November 2026.
 */
const sessionLink = {
  definition: {
    type: 'object',
    properties: {
      sessionId: { allOf: [{ $ref: '#/$defs/SessionId' }] },
      _meta: {
        type: ['object', 'null'],
        'x-deserialize-default-on-error': true,
        additionalProperties: true,
      },
    },
    required: ['sessionId'],
  },
  content: {
    type: 'object',
    properties: { type: { type: 'string', const: 'session' } },
    required: ['type'],
    allOf: [{ $ref: '#/$defs/SessionLink' }],
  },
};

/**
 * The schemas with what they do not have yet.
 *
 * @param {{ stable: object, unstable: object }} schemas
 * @returns {{ stable: object, unstable: object }}
 */
export function aheadOfSchema({ stable, unstable }) {
  return { stable: withSessionLink(withSubagents(stable, unstable)), unstable: withSessionLink(unstable) };
}

function withSubagents(stable, { $defs: unstable }) {
  const { $defs: definitions } = stable;
  const known = subagents.definitions.filter((name) => name in definitions);
  if (known.length > 0) throw new Error(`the stable schema has ${known.join(', ')}: ahead-of-schema.mjs`);
  const added = Object.fromEntries(subagents.definitions.map((name) => [name, unstable[name]]));
  const isAdded = ({ properties }) => subagents.updates.includes(properties?.sessionUpdate?.const);
  const { ClientCapabilities, SessionUpdate } = definitions;
  return {
    ...stable,
    $defs: {
      ...definitions,
      ...added,
      ClientCapabilities: {
        ...ClientCapabilities,
        properties: {
          ...ClientCapabilities.properties,
          subagents: unstable.ClientCapabilities.properties.subagents,
        },
      },
      SessionUpdate: {
        ...SessionUpdate,
        oneOf: [...SessionUpdate.oneOf, ...unstable.SessionUpdate.oneOf.filter(isAdded)],
      },
    },
  };
}

function withSessionLink(schema) {
  const { ToolCallContent } = schema.$defs;
  if (ToolCallContent.oneOf.some(({ properties }) => properties.type.const === 'session')) {
    throw new Error('a schema has tool-call content `session`: ahead-of-schema.mjs');
  }
  return {
    ...schema,
    $defs: {
      ...schema.$defs,
      SessionLink: sessionLink.definition,
      ToolCallContent: { ...ToolCallContent, oneOf: [...ToolCallContent.oneOf, sessionLink.content] },
    },
  };
}
