/** The schemas of what `/meta` says of an agent, and of how a session sets it. */
export const agentInfoSchemas = {
  AgentInfo: {
    description: 'What `/meta` says of an agent.',
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, description: 'Unique on its server.' },
      title: { type: 'string' },
      version: { type: 'string', description: 'A semantic version.' },
      description: { type: 'string' },
      tools: {
        type: 'array',
        items: { $ref: '#/$defs/ToolSpec' },
        description: 'The tools that an application may enable.',
      },
      options: {
        type: 'array',
        items: { $ref: '#/$defs/AgentOption' },
        description: 'What an application may set with each request.',
      },
      capabilities: { $ref: '#/$defs/AgentCapabilities' },
    },
    required: ['name', 'version'],
  },
  AgentOption: {
    description: 'Something an application may set.',
    oneOf: [
      { $ref: '#/$defs/TextAgentOption' },
      { $ref: '#/$defs/SecretAgentOption' },
      { $ref: '#/$defs/SelectAgentOption' },
    ],
    discriminator: {
      propertyName: 'type',
      mapping: {
        text: '#/$defs/TextAgentOption',
        secret: '#/$defs/SecretAgentOption',
        select: '#/$defs/SelectAgentOption',
      },
    },
  },
  TextAgentOption: {
    description: 'Free text.',
    type: 'object',
    properties: {
      type: { const: 'text' },
      name: { type: 'string', minLength: 1 },
      title: { type: 'string' },
      description: { type: 'string' },
      default: { type: 'string' },
    },
    required: ['type', 'name', 'default'],
  },
  SecretAgentOption: {
    description: 'Text that is never returned in plain.',
    type: 'object',
    properties: {
      type: { const: 'secret' },
      name: { type: 'string', minLength: 1 },
      title: { type: 'string' },
      description: { type: 'string' },
      default: { type: 'string' },
    },
    required: ['type', 'name', 'default'],
  },
  SelectAgentOption: {
    description: 'One of some values.',
    type: 'object',
    properties: {
      type: { const: 'select' },
      name: { type: 'string', minLength: 1 },
      title: { type: 'string' },
      description: { type: 'string' },
      default: { type: 'string' },
      options: { type: 'array', items: { type: 'string' } },
    },
    required: ['type', 'name', 'default', 'options'],
  },
  AgentConfig: {
    description: 'Which agent a session talks to, and how it is set.',
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1 },
      tools: {
        type: 'array',
        items: { $ref: '#/$defs/ServerToolRef' },
        description: 'The tools of the agent that may be used; absent: none.',
      },
      options: { $ref: '#/$defs/OptionValues' },
    },
    required: ['name'],
  },
  AgentOverride: {
    description: 'What a turn changes of its session; holds from then on.',
    type: 'object',
    properties: {
      name: { type: 'string', description: "The session's own agent, if it is given at all." },
      tools: {
        type: 'array',
        items: { $ref: '#/$defs/ServerToolRef' },
        description: 'Replaces the tools that were enabled.',
      },
      options: { $ref: '#/$defs/OptionValues' },
    },
  },
  OptionValues: {
    description: 'Values of options, by the name of the option.',
    type: 'object',
    additionalProperties: { type: 'string' },
  },
  HistoryType: {
    description: 'The kinds of history: as the agent works with it, or everything that was said.',
    type: 'string',
    enum: ['compacted', 'full'],
  },
  StreamMode: {
    description: 'How a turn is streamed: piece by piece, message by message, or at its end.',
    type: 'string',
    enum: ['delta', 'message', 'none'],
  },
  Supported: {
    description: 'Its presence means that the feature is supported.',
    type: 'object',
  },
  AgentCapabilities: {
    description: 'What an agent supports. What is absent is not supported.',
    type: 'object',
    properties: {
      history: {
        type: 'object',
        properties: {
          compacted: { $ref: '#/$defs/Supported' },
          full: { $ref: '#/$defs/Supported' },
        },
      },
      stream: {
        type: 'object',
        properties: {
          delta: { $ref: '#/$defs/Supported' },
          message: { $ref: '#/$defs/Supported' },
          none: { $ref: '#/$defs/Supported' },
        },
        description: 'Absent: only `none`.',
      },
      application: {
        type: 'object',
        properties: { tools: { $ref: '#/$defs/Supported' } },
      },
      image: {
        type: 'object',
        properties: { http: { $ref: '#/$defs/Supported' }, data: { $ref: '#/$defs/Supported' } },
      },
    },
  },
} as const;
