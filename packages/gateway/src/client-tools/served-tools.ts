import type { ToolSpec } from '@parley/aap';
import type { McpServer } from '@parley/acp';
import type { AgentConnection } from '@parley/host';
import type { AnswerToolCall, ToolEndpoint, ToolEndpoints } from './tool-endpoint.ts';

/** The application's tools of one session, served to its agent while that runs. */
export class ServedTools {
  readonly #endpoints: ToolEndpoints | undefined;
  readonly #call: AnswerToolCall;
  #tools: readonly ToolSpec[];
  #endpoint: Promise<ToolEndpoint> | undefined;

  /** @param endpoints Where tools are served. Undefined: nowhere. */
  constructor(endpoints: ToolEndpoints | undefined, tools: readonly ToolSpec[], call: AnswerToolCall) {
    this.#endpoints = endpoints;
    this.#tools = tools;
    this.#call = call;
  }

  /** The MCP servers for an agent that was just started; none if there are no tools. */
  async serve(agent: AgentConnection): Promise<readonly McpServer[]> {
    if (this.#endpoints === undefined || this.#tools.length === 0) return [];
    this.#endpoint ??= this.#endpoints.open({ tools: this.#tools, call: this.#call });
    const { capabilities, sandbox } = agent;
    const endpoint = await this.#endpoint;
    return [
      agent.offerMcp(endpoint.overAcp) ??
        endpoint.mcpServer(capabilities.mcpCapabilities, sandbox?.toolSocket),
    ];
  }

  /** Other tools from now on. */
  set(tools: readonly ToolSpec[]): void {
    if (JSON.stringify(tools) === JSON.stringify(this.#tools)) return;
    this.#tools = tools;
    void this.#endpoint?.then((endpoint) => {
      endpoint.setTools(tools);
    });
  }

  /** The agent has ended. Never rejects. */
  async close(): Promise<void> {
    const endpoint = this.#endpoint;
    this.#endpoint = undefined;
    await endpoint?.then((open) => open.close()).catch(() => undefined);
  }
}
