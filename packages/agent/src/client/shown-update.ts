import type { ClientCapabilities, SessionUpdate, ToolCallContent } from '@parley/acp';
import { toTitle } from '../tools/argument/title.ts';

/** An update as a client takes it. */
export interface ShownUpdate {
  /** The id of the sub-agent that sent it. @default the session itself */
  readonly subagent?: string;
  readonly update: SessionUpdate;
}

/**
 * Converts the updates of a session and its sub-agents for the client. If the client does not support sub-agents,
 * their tool calls are sent as calls of the session with the sub-agent's name, and everything else is left out.
 */
export class ShownUpdates {
  readonly #capabilities: ClientCapabilities;
  readonly #titles = new Map<string, string>();

  constructor(capabilities: ClientCapabilities) {
    this.#capabilities = capabilities;
  }

  /** Whether the client shows sub-agents as sessions of their own. */
  get hasSubagents(): boolean {
    return this.#capabilities.subagents !== undefined;
  }

  /** The update for the client; undefined if it is not sent. */
  of(update: SessionUpdate, subagent?: string): ShownUpdate | undefined {
    const shown = toShownUpdate(update, this.#capabilities);
    if (shown === undefined) return undefined;
    if (this.hasSubagents) return { update: shown, ...(subagent !== undefined && { subagent }) };
    const merged = subagent === undefined ? this.#withoutLinks(shown) : this.#merge(shown, subagent);
    return merged === undefined ? undefined : { update: merged };
  }

  /** A tool call of a sub-agent: where the client does not know these, with an id and a title that are the sub-agent's own. */
  callOf<T extends { readonly toolCallId: string; readonly title?: string }>(call: T, subagent: string): T {
    if (this.hasSubagents) return call;
    const name = this.#titles.get(subagent);
    const { toolCallId, title } = call;
    return {
      ...call,
      toolCallId: `${subagent}_${toolCallId}`,
      ...(title !== undefined && name !== undefined && { title: toTitle(`${name}: ${title}`) }),
    };
  }

  #withoutLinks(update: SessionUpdate): SessionUpdate | undefined {
    switch (update.sessionUpdate) {
      case 'subagent_update':
        if (typeof update.title === 'string') this.#titles.set(update.sessionId, update.title);
        return undefined;
      case 'session_message':
      case 'session_message_chunk':
        return undefined;
      case 'tool_call':
      case 'tool_call_update': {
        const { content, ...call } = update;
        return content === undefined ? update : { ...call, content: content.filter(isNoLink) };
      }
      default:
        return update;
    }
  }

  #merge(update: SessionUpdate, subagent: string): SessionUpdate | undefined {
    switch (update.sessionUpdate) {
      case 'tool_call':
      case 'tool_call_update':
        return this.callOf(update, subagent);
      case 'notice':
        return update;
      default:
        return undefined;
    }
  }
}

function isNoLink({ type }: ToolCallContent): boolean {
  return type !== 'session';
}

/**
 * Converts an update for the client. If it does not support compactions, a notice or a thought reports one; its
 * summary is left out, which gives undefined.
 */
function toShownUpdate(update: SessionUpdate, { session }: ClientCapabilities): SessionUpdate | undefined {
  if (session?.compaction !== undefined) return update;
  if (update.sessionUpdate === 'compaction_summary_chunk') return undefined;
  if (update.sessionUpdate !== 'compaction_update') return update;
  const [title, description] = toWords(update);
  return session?.notices === undefined
    ? { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: `${title}. ${description}` } }
    : {
        sessionUpdate: 'notice',
        severity: update.status === 'failed' ? 'warning' : 'info',
        title,
        description,
      };
}

type CompactionUpdate = Extract<SessionUpdate, { readonly sessionUpdate: 'compaction_update' }>;

function toWords({ status, error }: CompactionUpdate): readonly [title: string, description: string] {
  switch (status) {
    case 'completed':
      return ['The conversation was compacted', 'The model receives a summary of the conversation above.'];
    case 'failed':
      return ['The conversation could not be compacted', `${error ?? 'No summary was written'}.`];
    case 'cancelled':
      return ['The conversation was not compacted', 'It was cancelled.'];
    default:
      return ['The conversation is being compacted', 'The model sums up the older part of it.'];
  }
}
