import type { ToolSpec } from '@parley/aap';
import type { ToolCallUpdate } from '@parley/acp';

/** The application's tools, as an agent knows them. */
export interface ApplicationServer {
  /** The name of the MCP server that has them. */
  readonly name: string;
  readonly tools: readonly ToolSpec[];
}

/**
 * Whether what an agent tells of a call is that of one of the application's own tools, of which the application hears in
 * another way. Agents have different names for a tool of a server; only what cannot be anything else counts, as such a
 * call is not asked about.
 */
export function isApplicationCall(call: ToolCallUpdate, { name: server, tools }: ApplicationServer): boolean {
  const { title, name, rawInput } = call;
  return tools.some(({ name: tool }) => {
    const names = namesOf(server, tool);
    if (name !== undefined && names.includes(name)) return true;
    if (title !== undefined && names.some((known) => title === known || title.startsWith(`${known}: {`))) {
      return true;
    }
    return isNamedIn(rawInput, server, tool);
  });
}

function namesOf(server: string, tool: string): readonly string[] {
  const joined = ['__', '.', '/', ':'].map((mark) => `${server}${mark}${tool}`);
  return [
    ...joined,
    `mcp__${server}__${tool}`,
    `mcp.${server}.${tool}`,
    `Tool: ${server}/${tool}`,
    `${tool} (${server} MCP Server)`,
  ];
}

/** `{ server, tool, arguments }`, as some agents have it. */
function isNamedIn(input: unknown, server: string, tool: string): boolean {
  if (typeof input !== 'object' || input === null) return false;
  return 'server' in input && 'tool' in input && input.server === server && input.tool === tool;
}
