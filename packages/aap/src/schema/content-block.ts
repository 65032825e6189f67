/** The schemas of the blocks of messages. */
export const contentBlockSchemas = {
  Content: {
    description: 'Text, or blocks.',
    anyOf: [{ type: 'string' }, { type: 'array', items: { $ref: '#/$defs/ContentBlock' } }],
  },
  ContentBlock: {
    description: 'A block of a message.',
    oneOf: [
      { $ref: '#/$defs/TextContentBlock' },
      { $ref: '#/$defs/ThinkingContentBlock' },
      { $ref: '#/$defs/ToolUseContentBlock' },
      { $ref: '#/$defs/ImageContentBlock' },
    ],
    discriminator: {
      propertyName: 'type',
      mapping: {
        text: '#/$defs/TextContentBlock',
        thinking: '#/$defs/ThinkingContentBlock',
        tool_use: '#/$defs/ToolUseContentBlock',
        image: '#/$defs/ImageContentBlock',
      },
    },
  },
  TextContentBlock: {
    description: 'Text.',
    type: 'object',
    properties: { type: { const: 'text' }, text: { type: 'string' } },
    required: ['type', 'text'],
  },
  ThinkingContentBlock: {
    description: 'What the model thought before it answered.',
    type: 'object',
    properties: { type: { const: 'thinking' }, thinking: { type: 'string' } },
    required: ['type', 'thinking'],
  },
  ToolUseContentBlock: {
    description: 'A tool call of the agent.',
    type: 'object',
    properties: {
      type: { const: 'tool_use' },
      toolCallId: { type: 'string' },
      name: { type: 'string' },
      input: { $ref: '#/$defs/ToolCallInput' },
      _meta: { $ref: '#/$defs/MetaValues' },
    },
    required: ['type', 'toolCallId', 'name', 'input'],
  },
  ImageContentBlock: {
    description: 'An image.',
    type: 'object',
    properties: {
      type: { const: 'image' },
      url: { type: 'string', description: 'An `https://` URL, or a `data:` URI in base64.' },
    },
    required: ['type', 'url'],
  },
} as const;
