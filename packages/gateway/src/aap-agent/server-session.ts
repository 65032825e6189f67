import type { OptionValues, ReceivedAgentInfo, ToolSpec } from '@parley/aap';
import type { PromptContext } from '@parley/acp';
import { toSpec, type BroughtNotice, type BroughtTool, type BroughtTools } from './brought-tools.ts';
import { toTellable } from './session-updates.ts';

/** Tools of a client that an agent receives; more are omitted. */
const mostTools = 256;

/** What a session is resumed with. */
export interface ServerSessionOptions {
  /** @default the agent's defaults */
  readonly options?: OptionValues;
  /** The tools of its client's MCP servers. @default none */
  readonly tools?: BroughtTools;
  /** Notices to show to the client when the session is opened. @default none */
  readonly notices?: readonly BroughtNotice[];
  /** The client's tools that the server already knows. @default unknown */
  readonly declared?: readonly ToolSpec[];
}

/** A session of a server, as its client has set it. */
export class ServerSession {
  readonly sessionId: string;
  readonly #tools: BroughtTools | undefined;
  #notices: readonly BroughtNotice[];
  #specs: readonly ToolSpec[] | undefined;
  /** The tools that were sent to the server, as JSON. */
  #declared: string | undefined;
  #options: OptionValues;
  #changes: OptionValues = {};
  readonly #trusted = new Set<string>();

  constructor(sessionId: string, given: ServerSessionOptions = {}) {
    const { options = {}, tools, notices = [], declared } = given;
    this.sessionId = sessionId;
    this.#options = options;
    this.#tools = tools;
    this.#notices = notices;
    this.#declared = declared === undefined ? undefined : JSON.stringify(declared);
  }

  /** Those that differ from the agent's defaults. */
  get options(): OptionValues {
    return this.#options;
  }

  /** What the client changed since the last turn was sent. */
  get changes(): OptionValues {
    return this.#changes;
  }

  /** The client sets options, from the next turn on. */
  change(options: OptionValues): void {
    this.#options = { ...this.#options, ...options };
    this.#changes = { ...this.#changes, ...options };
  }

  /** The tools of the client, if these were not sent yet. */
  get undeclared(): readonly ToolSpec[] | undefined {
    return this.#specs === undefined || JSON.stringify(this.#specs) === this.#declared
      ? undefined
      : this.#specs;
  }

  /** The changes were sent. */
  acceptChanges(): void {
    this.#changes = {};
    if (this.#specs !== undefined) this.#declared = JSON.stringify(this.#specs);
  }

  /** The tools of the client there are now, after it was informed about their servers. */
  async takeTools(info: ReceivedAgentInfo, context: PromptContext): Promise<readonly BroughtTool[]> {
    await this.#tools?.ready(context.signal);
    const notices = [...this.#notices, ...(this.#tools?.takeNotices() ?? [])];
    this.#notices = [];
    for (const notice of notices) {
      await context.update(toTellable({ sessionUpdate: 'notice', ...notice }, context));
    }
    if (info.capabilities?.application?.tools === undefined) return [];
    const own = new Set(info.tools?.map(({ name }) => name));
    const tools = (this.#tools?.tools() ?? []).filter(({ name }) => !own.has(name)).slice(0, mostTools);
    this.#specs = tools.map(toSpec);
    return tools;
  }

  /** Closes the session on this side, and the MCP connections of its client. */
  async close(): Promise<void> {
    await this.#tools?.close();
  }

  /** The agent changed options by itself. */
  learn(options: OptionValues): void {
    this.#options = { ...this.#options, ...options };
  }

  /** Whether a tool may be used without asking again. */
  isTrusted(tool: string): boolean {
    return this.#trusted.has(tool);
  }

  trust(tool: string): void {
    this.#trusted.add(tool);
  }
}
