import type { RequestPermissionRequest, SessionUpdate, ToolCallUpdate } from '@parley/acp';
import type { SubagentName } from '@parley/host';

/** Remembered titles of sub-agents; the oldest is forgotten first. */
const maxTitles = 4096;

/** Converts the tool calls of sub-agents to calls of the session: AAP has no sub-agents. */
export class SubagentCalls {
  /** The newest titles, by the ids of the sub-agents. */
  readonly #titles = new Map<string, string>();

  /** Converts a sub-agent's update of a tool call to one of the session; other updates are left out of the answer. */
  toOwnUpdate(update: SessionUpdate, subagent: string): SessionUpdate | undefined {
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return undefined;
    return { ...update, ...this.#toOwnCall(update, subagent) };
  }

  /** A permission request of a sub-agent as one of the session. */
  toOwnRequest(
    request: RequestPermissionRequest,
    subagent: SubagentName | undefined,
  ): RequestPermissionRequest {
    if (subagent === undefined) return request;
    const { toolCall } = request;
    return { ...request, toolCall: { ...toolCall, ...this.#toOwnCall(toolCall, subagent.sessionId) } };
  }

  /** Stores the title that its parent reports for a sub-agent. */
  note({ sessionId, title }: Extract<SessionUpdate, { readonly sessionUpdate: 'subagent_update' }>): void {
    if (title === undefined) return;
    this.#titles.delete(sessionId);
    if (title === null) return;
    this.#titles.set(sessionId, title);
    const [oldest] = this.#titles.keys();
    if (this.#titles.size > maxTitles && oldest !== undefined) this.#titles.delete(oldest);
  }

  /** Tool calls are named within their session: another sub-agent may use the same id. A user reads who works. */
  #toOwnCall(
    { toolCallId, title }: Pick<ToolCallUpdate, 'toolCallId' | 'title'>,
    subagent: string,
  ): Pick<ToolCallUpdate, 'toolCallId' | 'title'> {
    return {
      toolCallId: `${subagent}/${toolCallId}`,
      ...(title !== undefined && { title: `${this.#titles.get(subagent) ?? 'Sub-agent'}: ${title}` }),
    };
  }
}
