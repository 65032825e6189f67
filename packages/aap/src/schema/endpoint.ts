/** The schemas of requests and answers. */
export const endpointSchemas = {
  GetMetaResponse: {
    description: '`GET /meta`.',
    type: 'object',
    properties: {
      version: { const: 3 },
      agents: { type: 'array', items: { $ref: '#/$defs/AgentInfo' } },
      extensions: {
        type: 'object',
        additionalProperties: { $ref: '#/$defs/Supported' },
        description: 'What the server has beyond the protocol, by name. An extension.',
      },
    },
    required: ['version', 'agents'],
  },
  SessionStatus: {
    description: 'What a session does: nothing, a turn, or waiting for answers to tool calls. An extension.',
    type: 'string',
    enum: ['idle', 'running', 'waiting'],
  },
  SessionInfo: {
    description: 'A session. Values of secret options are replaced.',
    type: 'object',
    properties: {
      sessionId: { type: 'string' },
      agent: { $ref: '#/$defs/AgentConfig' },
      tools: { type: 'array', items: { $ref: '#/$defs/ToolSpec' }, description: "The application's tools." },
      title: { type: ['string', 'null'], description: 'For people; null: there is none yet. An extension.' },
      createdAt: { type: 'string', format: 'date-time', description: 'An extension.' },
      updatedAt: { type: 'string', format: 'date-time', description: 'An extension.' },
      status: { $ref: '#/$defs/SessionStatus' },
      pendingToolCalls: {
        type: 'array',
        items: { $ref: '#/$defs/ToolCall' },
        description: 'The calls that wait for the application. Not in lists. An extension.',
      },
    },
    required: ['sessionId', 'agent'],
  },
  GetSessionsResponse: {
    description: '`GET /sessions`.',
    type: 'object',
    properties: {
      sessions: { type: 'array', items: { $ref: '#/$defs/SessionInfo' } },
      next: {
        type: 'string',
        description: 'To be given as `after` for the next page; absent: there is none.',
      },
    },
    required: ['sessions'],
  },
  PostSessionsRequest: {
    description: '`POST /sessions`.',
    type: 'object',
    properties: {
      agent: { $ref: '#/$defs/AgentConfig' },
      messages: {
        type: 'array',
        items: { $ref: '#/$defs/HistoryMessage' },
        description: 'What was said before: instructions, an earlier conversation.',
      },
      tools: { type: 'array', items: { $ref: '#/$defs/ToolSpec' }, description: "The application's tools." },
    },
    required: ['agent'],
  },
  PostSessionsResponse: {
    description: 'The session that was made.',
    type: 'object',
    properties: { sessionId: { type: 'string' } },
    required: ['sessionId'],
  },
  GetSessionHistoryResponse: {
    description: '`GET /sessions/:id/history`: the kind that was asked for.',
    type: 'object',
    properties: {
      history: {
        type: 'object',
        properties: {
          compacted: { type: 'array', items: { $ref: '#/$defs/HistoryMessage' } },
          full: { type: 'array', items: { $ref: '#/$defs/HistoryMessage' } },
        },
      },
    },
    required: ['history'],
  },
  PostSessionTurnRequest: {
    description: '`POST /sessions/:id/turns`.',
    type: 'object',
    properties: {
      agent: { $ref: '#/$defs/AgentOverride' },
      stream: { $ref: '#/$defs/StreamMode' },
      messages: {
        type: 'array',
        items: { $ref: '#/$defs/ApplicationMessage' },
        description:
          'One message of the user, or results and permissions for all the calls that wait for them.',
      },
      tools: {
        type: 'array',
        items: { $ref: '#/$defs/ToolSpec' },
        description: "Replaces the application's tools; holds from then on.",
      },
    },
    required: ['messages'],
  },
  PostSessionTurnResponse: {
    description: 'The answer in the mode `none`.',
    type: 'object',
    properties: {
      stopReason: { $ref: '#/$defs/StopReason' },
      messages: { type: 'array', items: { $ref: '#/$defs/AgentMessage' } },
      turnId: { type: 'string', description: 'An extension.' },
      error: { $ref: '#/$defs/TurnError' },
      detail: { type: 'string', description: 'Finer than the stop reason. An extension.' },
      usage: { description: 'What was used, as the agent reports it. An extension.' },
    },
    required: ['stopReason', 'messages'],
  },
  ErrorBody: {
    description: 'The body of an answer that is no success.',
    type: 'object',
    properties: {
      error: { type: 'string', description: 'For people.' },
      code: { type: 'string', description: 'A word. An extension.' },
      requestId: { type: 'string', description: 'Under which the server logged it. An extension.' },
      details: { description: 'An extension.' },
    },
    required: ['error'],
  },
  TurnStatus: {
    description: 'Whether a turn is running.',
    type: 'string',
    enum: ['running', 'stopped'],
  },
  Turn: {
    description: 'A turn of a session. An extension.',
    type: 'object',
    properties: {
      turnId: { type: 'string' },
      status: { $ref: '#/$defs/TurnStatus' },
      stopReason: { $ref: '#/$defs/StopReason' },
      error: { $ref: '#/$defs/TurnError' },
      detail: { type: 'string', description: 'Finer than the stop reason.' },
      startedAt: { type: 'string', format: 'date-time' },
      stoppedAt: { type: 'string', format: 'date-time' },
      usage: { description: 'What was used, as the agent reports it.' },
    },
    required: ['turnId', 'status'],
  },
  GetTurnsResponse: {
    description: '`GET /sessions/:id/turns`. An extension.',
    type: 'object',
    properties: { turns: { type: 'array', items: { $ref: '#/$defs/Turn' } } },
    required: ['turns'],
  },
} as const;
