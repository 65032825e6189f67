import {
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ApplicationTools } from './application-tools.ts';
import { toMcpResult, toMcpTool } from './mcp-tool.ts';

/** How an MCP server behaves. */
export interface McpServerOptions {
  /** Interval of progress notifications for a waiting call, if the agent requested them. */
  readonly progressMs: number;
}

/** An MCP server for one connection, or one request, of an agent. */
export function createMcpServer(tools: ApplicationTools, { progressMs }: McpServerOptions): McpServer {
  const server = new McpServer(
    { name: 'parley', version: '0.1.0' },
    { capabilities: { tools: { listChanged: true } } },
  );
  // Its own way to have tools wants Zod schemas, and checks inputs by them: these have JSON Schemas of any draft.
  const { server: requests } = server;
  requests.setRequestHandler('tools/list', () => ({ tools: tools.tools.map(toMcpTool) }));
  requests.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: input = {} } = params;
    // A token of progress is a number or a word of the client's own, and may look like an id of something else.
    const { progressToken: _, ...meta } = params._meta ?? {};
    if (!tools.has(name)) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `unknown tool "${name}"`);
    }
    const stop = sendProgress(context, progressMs);
    try {
      const call = { name, input, meta };
      return toMcpResult(await tools.answer(call, waitOf(context)));
    } catch (error) {
      // The model can read this and continue; a JSON-RPC error would end some agents' turns.
      return { content: [{ type: 'text', text: messageOf(error) }], isError: true };
    } finally {
      stop();
    }
  });
  return server;
}

/** Aborted when the agent cancels the call, or its connection closes. */
function waitOf({ mcpReq, http }: ServerContext): AbortSignal {
  const connection = http?.req?.signal;
  return connection === undefined ? mcpReq.signal : AbortSignal.any([mcpReq.signal, connection]);
}

/** Many agents cancel a call that is silent for a minute, and users take longer. */
function sendProgress({ mcpReq }: ServerContext, progressMs: number): () => void {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return () => undefined;
  let progress = 0;
  const timer = setInterval(() => {
    progress += 1;
    const message = `waiting for an answer since ${String(Math.round((progress * progressMs) / 1000))} s`;
    const notice = {
      method: 'notifications/progress',
      params: { progressToken, progress, message },
    } as const;
    mcpReq.notify(notice).catch(() => {
      // The connection is closed; the call's own signal says so.
    });
  }, progressMs);
  return () => clearInterval(timer);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
