import type {
  ModelMessage,
  ModelReasoning,
  ModelRequest,
  ModelTool,
  ModelToolCall,
  ProviderData,
} from '../../model/model.ts';
import type { CallOptions } from './language-model.ts';

type Prompt = CallOptions['prompt'];
type PromptMessage = Prompt[number];
type AssistantContent = Extract<PromptMessage, { readonly role: 'assistant' }>['content'];
type ProviderOptions = NonNullable<AssistantContent[number]['providerOptions']>;

/** A request of ours as the AI SDK has it. */
export function toCallOptions({
  instructions,
  messages,
  tools,
  maxTokens,
}: ModelRequest): Pick<CallOptions, 'prompt' | 'tools' | 'maxOutputTokens'> {
  const turnStart = messages.findLastIndex(({ role }) => role === 'user');
  const prompt: Prompt = [
    { role: 'system', content: instructions },
    ...messages.flatMap((message, index) => toPromptMessage(message, index > turnStart)),
  ];
  return {
    prompt,
    ...(tools.length > 0 && { tools: tools.map(toTool) }),
    ...(maxTokens !== undefined && { maxOutputTokens: maxTokens }),
  };
}

/** @param isOfThisTurn Thoughts go back only while their turn goes on. */
function toPromptMessage(message: ModelMessage, isOfThisTurn: boolean): PromptMessage[] {
  switch (message.role) {
    case 'user':
      return [{ role: 'user', content: [{ type: 'text', text: message.text }] }];
    case 'assistant': {
      const { text, toolCalls, reasoning = [] } = message;
      const content: AssistantContent = [
        ...(isOfThisTurn ? reasoning.map(toReasoning) : []),
        // A provider refuses a text with nothing in it.
        ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }]),
        ...toolCalls.map(toToolCall),
      ];
      return content.length === 0 ? [] : [{ role: 'assistant', content }];
    }
    case 'tool':
      return [
        {
          role: 'tool',
          content: message.results.map(({ id, name, isError, text }) => ({
            type: 'tool-result',
            toolCallId: id,
            toolName: name,
            output: { type: isError ? 'error-text' : 'text', value: text },
          })),
        },
      ];
  }
}

function toReasoning({ text, providerData }: ModelReasoning): AssistantContent[number] {
  return { type: 'reasoning', text, ...toProviderOptions(providerData) };
}

function toToolCall({ id, name, input, providerData }: ModelToolCall): AssistantContent[number] {
  // What was no object was answered with an error; a provider takes nothing else back.
  const args = typeof input === 'object' && input !== null && !Array.isArray(input) ? input : {};
  return {
    type: 'tool-call',
    toolCallId: id,
    toolName: name,
    input: args,
    ...toProviderOptions(providerData),
  };
}

function toProviderOptions(data: ProviderData | undefined): { readonly providerOptions?: ProviderOptions } {
  return data !== undefined && isProviderOptions(data) ? { providerOptions: data } : {};
}

/** It came from a provider, or out of the file of a session. */
function isProviderOptions(data: ProviderData): data is ProviderOptions {
  return Object.values(data).every((value) => typeof value === 'object' && value !== null);
}

function toTool({ name, description, inputSchema }: ModelTool): NonNullable<CallOptions['tools']>[number] {
  return { type: 'function', name, description, inputSchema };
}
