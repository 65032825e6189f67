import { withSessionId, type LoggedEvent, type LoggedUpdate } from '@parley/host';
import { isJsonObject } from '@parley/wire';
import type { UpdateParams } from './update-params.ts';

/** What a client is sent of sub-agents. */
export interface SubagentUpdatesOptions {
  /** The session's key, which is its id for clients. */
  readonly key: string;
  /** Whether the client declared support for sub-agents; if not, it receives nothing about them. */
  readonly isShown: boolean;
}

/** The sub-agents of a session, as a client of plain ACP is sent them. */
export class SubagentUpdates {
  readonly #options: SubagentUpdatesOptions;
  /** What their agent calls the session. */
  #agentSessionId: string | undefined;
  /** The last announcement of each sub-agent, in order of the first. */
  readonly #subagents = new Map<string, Announced>();

  constructor(options: SubagentUpdatesOptions) {
    this.#options = options;
  }

  /** Converts an update that belongs to a sub-agent or announces one; `undefined` for one of the session itself. */
  take({ update, subagent, meta }: LoggedUpdate): readonly UpdateParams[] | undefined {
    if (!isJsonObject(update)) return subagent === undefined ? undefined : [];
    const kind = update['sessionUpdate'];
    const isAbout =
      kind === 'subagent_update' || kind === 'session_message' || kind === 'session_message_chunk';
    if (!isAbout && subagent === undefined && !linksSession(update)) return undefined;
    if (!this.#options.isShown) {
      return isAbout || subagent !== undefined ? [] : [withMeta(withoutLinks(update), meta)];
    }
    if (kind === 'subagent_update') this.#note(update, subagent);
    const { key } = this.#options;
    const named = withSessionId(update, this.#agentSessionId, key);
    return [{ ...withMeta(named, meta), ...(subagent !== undefined && { sessionId: subagent }) }];
  }

  has(sessionId: string): boolean {
    return this.#subagents.has(sessionId);
  }

  /** The updates after the agent has started or exited: the state of all sub-agents is then unknown. */
  follow(event: LoggedEvent): readonly UpdateParams[] {
    if (event.type === 'session') this.#agentSessionId = event.sessionId;
    else if (event.type !== 'agent-end' && event.type !== 'interruption') return [];
    const lost: UpdateParams[] = [];
    for (const [sessionId, announced] of this.#subagents) {
      if (announced.isPast) continue;
      announced.isPast = true;
      lost.push(toUpdate(announced, { sessionId, capabilities: null, state: { state: 'unknown' } }));
    }
    return lost;
  }

  /**
   * The announcements to send to a client after the response that loaded the session: earlier ones do not permit
   * cancelling.
   */
  announcements(): readonly UpdateParams[] {
    if (!this.#options.isShown) return [];
    return [...this.#subagents.values()]
      .filter(({ isPast }) => !isPast)
      .map((announced) => toUpdate(announced, announced.fields));
  }

  #note(update: Readonly<Record<string, unknown>>, parent: string | undefined): void {
    const { sessionId } = update;
    if (typeof sessionId !== 'string') return;
    const known = this.#subagents.get(sessionId);
    const fields = { ...known?.fields, ...update };
    if (known === undefined) this.#subagents.set(sessionId, { parent, fields, isPast: false });
    else Object.assign(known, { fields, isPast: false });
  }
}

interface Announced {
  /** The sub-agent that it works for. @default the session itself */
  readonly parent: string | undefined;
  fields: Readonly<Record<string, unknown>>;
  isPast: boolean;
}

function toUpdate({ parent }: Announced, fields: object): UpdateParams {
  return {
    ...(parent !== undefined && { sessionId: parent }),
    update: { sessionUpdate: 'subagent_update', ...fields },
  };
}

function withMeta(update: unknown, meta: LoggedUpdate['meta']): UpdateParams {
  return { update, ...(meta !== undefined && { _meta: meta }) };
}

function linksSession({ content }: Readonly<Record<string, unknown>>): boolean {
  return Array.isArray(content) && content.some(isLink);
}

function withoutLinks({ content, ...update }: Readonly<Record<string, unknown>>): object {
  return { ...update, content: Array.isArray(content) ? content.filter((item) => !isLink(item)) : content };
}

function isLink(item: unknown): boolean {
  return isJsonObject(item) && item['type'] === 'session';
}
