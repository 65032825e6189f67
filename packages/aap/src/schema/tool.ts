/** The schemas of tools and their calls. */
export const toolSchemas = {
  MetaValues: {
    description: 'What goes along and is no part of the protocol. An extension.',
    type: 'object',
  },
  JsonSchema: { description: 'A JSON Schema, of any draft.', type: ['boolean', 'object'] },
  ToolSpec: {
    description: 'Declares a tool: of the application in a request, of the agent in `/meta`.',
    type: 'object',
    properties: {
      name: {
        type: 'string',
        minLength: 1,
        description: "Unique over the application's and the agent's tools of a session.",
      },
      title: { type: 'string' },
      description: { type: 'string' },
      parameters: { $ref: '#/$defs/JsonSchema' },
    },
    required: ['name', 'description', 'parameters'],
  },
  ServerToolRef: {
    description: 'Enables a tool of the agent for a session.',
    type: 'object',
    properties: {
      name: { type: 'string' },
      trust: {
        type: 'boolean',
        default: false,
        description: 'Whether the agent may use it without asking the application.',
      },
    },
    required: ['name'],
  },
  ToolCallInput: { description: 'What a tool is called with.', type: 'object' },
  ToolCall: {
    description: "A call of a tool: of the application's, or of the agent's own.",
    type: 'object',
    properties: {
      toolCallId: { type: 'string' },
      name: { type: 'string' },
      input: { $ref: '#/$defs/ToolCallInput' },
    },
    required: ['toolCallId', 'name', 'input'],
  },
  ToolResult: {
    description: 'What came of a call.',
    type: 'object',
    properties: { toolCallId: { type: 'string' }, content: { $ref: '#/$defs/Content' } },
    required: ['toolCallId', 'content'],
  },
} as const;
