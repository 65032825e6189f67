import { isDeepStrictEqual } from 'node:util';
import type { ToolSpec } from '@parley/aap';
import type { ToolCallUpdate } from '@parley/acp';
import type { AgentToolCall } from './tool-endpoint.ts';
import { toolServerName } from './tool-server-name.ts';

/**
 * Which of the application's tools a call is of that the agent announces over ACP. Agents call them by names of their own,
 * made of the server's name and the tool's: `mcp__SERVER__TOOL`, `Tool: SERVER/TOOL`, `TOOL (SERVER MCP Server)`. Such a call
 * is granted without a question, so only what can be nothing else counts: the name as a whole, never a part of a title.
 */
export function findTool(announced: ToolCallUpdate, tools: readonly ToolSpec[]): ToolSpec | undefined {
  // A command's title is the command, which a model may write as it likes.
  if (announced.kind !== undefined && announced.kind !== 'other') return undefined;
  const names = namesOf(announced).map(toWords);
  return tools.find((tool) => names.some((name) => isNameOf(name, tool)));
}

/** Whether a call that the agent announced over ACP is the one that it now makes over MCP. */
export function isSameCall(announced: ToolCallUpdate, call: AgentToolCall): boolean {
  if (Object.values(call.meta ?? {}).includes(announced.toolCallId)) return true;
  const tool = { name: call.name, description: '', parameters: true };
  if (findTool(announced, [tool]) === undefined && !namesOf(announced).includes(call.name)) return false;
  const input = inputOf(announced);
  return input === undefined || isDeepStrictEqual(input, call.input);
}

/** The fields in which agents put the tool's name. */
function namesOf({ name, title, rawInput, _meta: meta = {} }: ToolCallUpdate): readonly string[] {
  const { server, tool } = toRecord(rawInput);
  const metaNames = Object.values(meta).map((value) => toRecord(value)['toolName']);
  const invocation = typeof server === 'string' && typeof tool === 'string' ? `${server}/${tool}` : undefined;
  return [name, title, invocation, ...metaNames].filter((text) => typeof text === 'string');
}

function isNameOf(words: string, { name, title }: ToolSpec): boolean {
  const server = toWords(toolServerName);
  return [name, ...(title === undefined ? [] : [title])].map(toWords).some((tool) => {
    const whole = `${server}_${tool}`;
    return (
      [whole, `mcp_${whole}`, `tool_${whole}`, `${tool}_${server}_mcp_server`].includes(words) ||
      // Models take names of 64 characters: longer ones are cut.
      (words.length >= 56 && `mcp_${whole}`.startsWith(words))
    );
  });
}

/** The arguments, as far as the agent has sent them: by themselves, or with the server and the tool. */
function inputOf({ rawInput }: ToolCallUpdate): unknown {
  const { server, tool, arguments: given } = toRecord(rawInput);
  const input = typeof server === 'string' && typeof tool === 'string' ? given : rawInput;
  return Object.keys(toRecord(input)).length === 0 ? undefined : input;
}

/** Letters and digits, with one `_` for all that is between them. */
function toWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/gu, '');
}

function toRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};
}
