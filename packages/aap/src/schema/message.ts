/** The schemas of messages. */
export const messageSchemas = {
  SystemMessage: {
    description: 'Instructions for the agent.',
    type: 'object',
    properties: { role: { const: 'system' }, content: { type: 'string' } },
    required: ['role', 'content'],
  },
  UserMessage: {
    description: "What the application's user says.",
    type: 'object',
    properties: { role: { const: 'user' }, content: { $ref: '#/$defs/Content' } },
    required: ['role', 'content'],
  },
  AssistantMessage: {
    description: 'What the agent says and calls.',
    type: 'object',
    properties: { role: { const: 'assistant' }, content: { $ref: '#/$defs/Content' } },
    required: ['role', 'content'],
  },
  ToolMessage: {
    description: 'What came of a tool call.',
    type: 'object',
    properties: {
      role: { const: 'tool' },
      toolCallId: { type: 'string' },
      content: { $ref: '#/$defs/Content' },
      isError: { type: 'boolean', default: false, description: 'The tool failed. An extension.' },
      _meta: { $ref: '#/$defs/MetaValues' },
    },
    required: ['role', 'toolCallId', 'content'],
  },
  ToolPermissionMessage: {
    description: 'Whether the agent may make a call of its own that it asked about. Never part of a history.',
    type: 'object',
    properties: {
      role: { const: 'tool_permission' },
      toolCallId: { type: 'string' },
      granted: { type: 'boolean' },
      reason: { type: 'string' },
      optionId: {
        type: 'string',
        description: "Which of the choices in the call's `_meta` was taken. An extension.",
      },
    },
    required: ['role', 'toolCallId', 'granted'],
  },
  HistoryMessage: {
    description: 'What a history holds.',
    oneOf: [
      { $ref: '#/$defs/SystemMessage' },
      { $ref: '#/$defs/UserMessage' },
      { $ref: '#/$defs/AssistantMessage' },
      { $ref: '#/$defs/ToolMessage' },
    ],
    discriminator: {
      propertyName: 'role',
      mapping: {
        system: '#/$defs/SystemMessage',
        user: '#/$defs/UserMessage',
        assistant: '#/$defs/AssistantMessage',
        tool: '#/$defs/ToolMessage',
      },
    },
  },
  AgentMessage: {
    description: 'What an agent produces.',
    oneOf: [{ $ref: '#/$defs/AssistantMessage' }, { $ref: '#/$defs/ToolMessage' }],
    discriminator: {
      propertyName: 'role',
      mapping: { assistant: '#/$defs/AssistantMessage', tool: '#/$defs/ToolMessage' },
    },
  },
  ApplicationMessage: {
    description: 'What an application sends for a turn.',
    oneOf: [
      { $ref: '#/$defs/UserMessage' },
      { $ref: '#/$defs/ToolMessage' },
      { $ref: '#/$defs/ToolPermissionMessage' },
    ],
    discriminator: {
      propertyName: 'role',
      mapping: {
        user: '#/$defs/UserMessage',
        tool: '#/$defs/ToolMessage',
        tool_permission: '#/$defs/ToolPermissionMessage',
      },
    },
  },
} as const;
