import {
  toTurnEvents,
  type ReceivedAgentInfo,
  type ReceivedContent,
  type ReceivedMessage,
  type ReceivedToolResultEvent,
  type ReceivedTurnEvent,
  type OpenCall,
} from '@parley/aap';
import {
  Invalid,
  isAbsolutePath,
  parseSessionUpdate,
  parseToolCall,
  type ContentBlock,
  type PromptContext,
  type SessionUpdate,
  type ToolCall,
} from '@parley/acp';
import { isJsonObject } from '@parley/wire';
import { toolKinds } from '../tool-kinds.ts';

/** Converts an event of a turn to an ACP update; undefined if it has no equivalent. */
export function toUpdate(event: ReceivedTurnEvent, info: ReceivedAgentInfo): SessionUpdate | undefined {
  switch (event.event) {
    case 'text_delta':
      return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: event.delta } };
    case 'text':
      return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: event.text } };
    case 'thinking_delta':
      return { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: event.delta } };
    case 'thinking':
      return { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: event.thinking } };
    case 'tool_call':
      return { sessionUpdate: 'tool_call', ...toCall(event, info), status: 'pending' };
    case 'tool_result':
      return toValidUpdate(toResultUpdate(event));
    case 'unknown':
      return toExtensionUpdate(event.raw);
    case 'turn_start':
    case 'turn_stop':
      return undefined;
  }
}

/** Converts a message of a history to the updates for a client that loads the session. */
export function toHistoryUpdates(
  message: ReceivedMessage,
  info: ReceivedAgentInfo,
): readonly SessionUpdate[] {
  switch (message.role) {
    case 'system':
      return [];
    case 'user':
      return toBlocks(message.content).map((content) => ({ sessionUpdate: 'user_message_chunk', content }));
    case 'assistant':
    case 'tool':
    case 'unknown':
      return toTurnEvents(message).flatMap((event) => toUpdate(event, info) ?? []);
  }
}

/** A client without notices receives one as a thought. */
export function toTellable(update: SessionUpdate, { client }: PromptContext): SessionUpdate {
  if (update.sessionUpdate !== 'notice' || client.capabilities.session?.notices !== undefined) return update;
  const { title, description } = update;
  const text = description === undefined ? title : `${title}. ${description}`;
  return { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text } };
}

/** Converts a call for the client. The fields that an ACP agent behind the server sent are in its `_meta`. */
export function toCall(
  { toolCallId, name, input, _meta: meta = {} }: OpenCall,
  info: ReceivedAgentInfo,
): ToolCall {
  const spec = info.tools?.find((tool) => tool.name === name);
  const known = {
    toolCallId,
    title: firstText(meta['title'], input['title'], spec?.title) ?? name,
    name: firstText(meta['name']) ?? name,
    rawInput: input,
  };
  const kind = [meta['kind'], name].find((candidate) => kinds.has(candidate)) ?? 'other';
  const content = toDiffs(meta['diffs']);
  const locations = absoluteOnes(meta['locations']);
  const call = parseToolCall({
    ...known,
    kind,
    ...(content.length > 0 && { content }),
    ...(locations.length > 0 && { locations }),
  });
  return call instanceof Invalid ? known : call;
}

function toResultUpdate({
  toolCallId,
  content,
  isError = false,
  _meta: meta = {},
}: ReceivedToolResultEvent): object {
  const diffs = toDiffs(meta['diffs']);
  // The same once more, line by line, for applications that know no differences.
  const isDiff = diffs.length > 0 && typeof content === 'string' && content.startsWith('--- ');
  return {
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: isError ? 'failed' : 'completed',
    content: [
      ...(isDiff ? [] : toBlocks(content)).map((block) => ({ type: 'content', content: block })),
      ...diffs,
    ],
  };
}

const kinds: ReadonlySet<unknown> = new Set(toolKinds.map(({ name }) => name));

/** Extensions that a server of ours has from an agent of ACP. */
function toExtensionUpdate({ event, ...data }: Readonly<Record<string, unknown>>): SessionUpdate | undefined {
  switch (event) {
    case 'plan':
      return toValidUpdate({ sessionUpdate: 'plan', ...data });
    case 'commands':
      return toValidUpdate({
        sessionUpdate: 'available_commands_update',
        availableCommands: data['commands'],
      });
    case 'usage':
      return toValidUpdate({ sessionUpdate: 'usage_update', ...data });
    case 'notice':
      return toValidUpdate({ sessionUpdate: 'notice', ...data });
  }
  return undefined;
}

/** An update of what a server sent, if it is one. */
function toValidUpdate(value: object): SessionUpdate | undefined {
  const update = parseSessionUpdate(value);
  return update instanceof Invalid ? undefined : update;
}

function toBlocks(content: ReceivedContent): readonly ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return content.flatMap((block): readonly ContentBlock[] => {
    switch (block.type) {
      case 'text':
        return [{ type: 'text', text: block.text }];
      case 'thinking':
        return [{ type: 'text', text: block.thinking }];
      case 'image':
        return [toImage(block.url)];
      case 'tool_use':
      case 'unknown':
        return [];
    }
  });
}

function toImage(url: string): ContentBlock {
  const [, mimeType, data] = /^data:([^;,]+);base64,(.*)$/s.exec(url) ?? [];
  return mimeType !== undefined && data !== undefined
    ? { type: 'image', mimeType, data }
    : { type: 'resource_link', name: 'image', uri: url };
}

function toDiffs(value: unknown): readonly object[] {
  return absoluteOnes(value)
    .filter((diff) => typeof diff['newText'] === 'string')
    .map((diff) => ({ ...diff, type: 'diff' }));
}

/** The entries that have an absolute path: ACP requires it. */
function absoluteOnes(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((item: unknown) => isJsonObject(item))
    .filter(({ path }) => typeof path === 'string' && isAbsolutePath(path));
}

function firstText(...values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && value !== '');
}
