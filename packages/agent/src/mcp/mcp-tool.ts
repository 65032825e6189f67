import { AgentError } from '../agent-error.ts';
import { firstCharacters } from '../first-characters.ts';
import { parseJson } from '../tools/argument/parse-json.ts';
import { toTitle } from '../tools/argument/title.ts';
import { LiveOutput } from '../tools/command/live-output.ts';
import { codeContent, textContent } from '../tools/content.ts';
import type { PreparedCall, RunningCall, Tool, Workplace } from '../tools/tool.ts';
import type { McpConnection, McpToolInfo } from './mcp-connection.ts';
import { toToolOutput } from './mcp-output.ts';

/** A tool of an MCP server. It needs little of the place where it works. */
export interface McpTool extends Tool {
  /** The title that the user reads. */
  readonly title: string;
  /** Whether the server declares it as read-only. */
  readonly isReadOnly: boolean;
  prepare(input: unknown, workplace: Pick<Workplace, 'environment' | 'limits'>): McpToolCall;
}

/** A call of an MCP tool. */
export interface McpToolCall extends PreparedCall {
  run(call: RunningCall): ReturnType<PreparedCall['run']>;
}

/** A tool of an MCP server, as a tool of the agent. */
export function toTool(name: string, server: string, info: McpToolInfo, connection: McpConnection): McpTool {
  const label = info.title ?? info.name;
  const title = toTitle(`${server}: ${label}`);
  return {
    name,
    title,
    kind: 'other',
    isReadOnly: info.isReadOnly,
    description: info.description ?? `${label}, a tool of the MCP server "${server}"`,
    inputSchema: info.inputSchema,
    prepare(input, { environment, limits }) {
      const given = parseInput(name, input);
      return {
        title,
        action: { kind: 'mcp', tool: name, isReadOnly: info.isReadOnly },
        preview: () => {
          const json = JSON.stringify(given, null, 2);
          return Promise.resolve({ content: [codeContent(firstCharacters(json, limits.mcpResultChars))] });
        },
        run: async ({ signal, show, trace }) => {
          await using progress = new LiveOutput({
            clock: environment.clock,
            intervalMs: limits.liveOutputMs,
            limitChars: limits.outputBytes,
            show: (text) => show([textContent(text)]),
          });
          const result = await connection.callTool({
            name: info.name,
            arguments: given,
            ...(trace !== undefined && { meta: trace }),
            signal,
            idleMs: limits.mcpCallIdleMs,
            onProgress: (message) => {
              progress.append(`${message}\n`);
            },
          });
          return toToolOutput(result, limits);
        },
      };
    },
  };
}

function parseInput(tool: string, input: unknown): Readonly<Record<string, unknown>> {
  const given = typeof input === 'string' ? parseJson(input) : input;
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new AgentError('invalid-input', `${tool}: the arguments must be an object`);
  }
  return Object.fromEntries(Object.entries(given));
}
