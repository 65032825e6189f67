/** The content of a response, in any format. */
export interface Said {
  readonly thoughts?: readonly string[];
  readonly texts?: readonly string[];
  readonly calls?: readonly { readonly name: string; readonly input: object }[];
  readonly finish?: 'stop' | 'length' | 'refusal';
}

/** One of the formats we speak, from the server's side. */
export interface WireFormat {
  readonly name: 'openai' | 'anthropic' | 'gemini';
  /** The events of a whole response of 10 tokens read and 5 written. */
  events(said: Said): string[];
}

const openai: WireFormat = {
  name: 'openai',
  events: ({ thoughts = [], texts = [], calls = [], finish = 'stop' }) => {
    const reasons = {
      stop: calls.length > 0 ? 'tool_calls' : 'stop',
      length: 'length',
      refusal: 'content_filter',
    };
    const chunk = (delta: object, more: object = {}): string =>
      data({ id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta, ...more }] });
    return [
      ...thoughts.map((text) => chunk({ reasoning_content: text })),
      ...texts.map((content) => chunk({ role: 'assistant', content })),
      ...calls.flatMap(({ name, input }, index) => {
        const json = JSON.stringify(input);
        const start = {
          index,
          id: `id_${String(index)}`,
          type: 'function',
          function: { name, arguments: '' },
        };
        return [
          chunk({ tool_calls: [start] }),
          ...[json.slice(0, 5), json.slice(5)].map((part) =>
            chunk({ tool_calls: [{ index, function: { arguments: part } }] }),
          ),
        ];
      }),
      chunk({}, { finish_reason: reasons[finish] }),
      data({ id: 'c', choices: [], usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 } }),
      'data: [DONE]\n\n',
    ];
  },
};

const anthropic: WireFormat = {
  name: 'anthropic',
  events: ({ thoughts = [], texts = [], calls = [], finish = 'stop' }) => {
    const reasons = {
      stop: calls.length > 0 ? 'tool_use' : 'end_turn',
      length: 'max_tokens',
      refusal: 'refusal',
    };
    const blocks = [
      ...(thoughts.length === 0
        ? []
        : [
            {
              start: { type: 'thinking', thinking: '', signature: '' },
              deltas: [
                ...thoughts.map((thinking) => ({ type: 'thinking_delta', thinking })),
                { type: 'signature_delta', signature: 'signed' },
              ],
            },
          ]),
      ...(texts.length === 0
        ? []
        : [
            {
              start: { type: 'text', text: '' },
              deltas: texts.map((text) => ({ type: 'text_delta', text })),
            },
          ]),
      ...calls.map(({ name, input }, index) => {
        const json = JSON.stringify(input);
        return {
          start: { type: 'tool_use', id: `id_${String(index)}`, name, input: {} },
          deltas: [json.slice(0, 5), json.slice(5)].map((part) => ({
            type: 'input_json_delta',
            partial_json: part,
          })),
        };
      }),
    ];
    return [
      event({
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'm',
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { input_tokens: 10, output_tokens: 1 },
        },
      }),
      ...blocks.flatMap(({ start, deltas }, index) => [
        event({ type: 'content_block_start', index, content_block: start }),
        ...deltas.map((delta) => event({ type: 'content_block_delta', index, delta })),
        event({ type: 'content_block_stop', index }),
      ]),
      event({
        type: 'message_delta',
        delta: { stop_reason: reasons[finish], stop_sequence: null },
        usage: { output_tokens: 5 },
      }),
      event({ type: 'message_stop' }),
    ];
  },
};

const gemini: WireFormat = {
  name: 'gemini',
  events: ({ thoughts = [], texts = [], calls = [], finish = 'stop' }) => {
    const reasons = { stop: 'STOP', length: 'MAX_TOKENS', refusal: 'SAFETY' };
    const chunk = (parts: readonly object[], more: object = {}): string =>
      data({ candidates: [{ index: 0, content: { role: 'model', parts }, ...more }] });
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 };
    return [
      ...thoughts.map((text) => chunk([{ text, thought: true }])),
      ...texts.map((text) => chunk([{ text }])),
      ...(calls.length === 0
        ? []
        : [
            chunk(
              calls.map(({ name, input }) => ({
                functionCall: { name, args: input },
                thoughtSignature: 'signed',
              })),
            ),
          ]),
      data({ candidates: [{ index: 0, finishReason: reasons[finish] }], usageMetadata }),
    ];
  },
};

/** All formats. */
export const wireFormats: readonly WireFormat[] = [openai, anthropic, gemini];

function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

function event(value: { readonly type: string; readonly [field: string]: unknown }): string {
  return `event: ${value.type}\n${data(value)}`;
}
