import type { ClientCapabilities } from '@parley/acp';

/** The services of the client that an agent may use. */
export interface ServedResources {
  /** `fs/read_text_file` and `fs/write_text_file`; `write` is only the latter. @default true */
  readonly files?: boolean | 'write';
  /** `terminal/create` and the related methods. @default true */
  readonly terminals?: boolean;
  /** A terminal of the user, for sign-in methods of the type `terminal`. @default false */
  readonly signInTerminal?: boolean;
  /** Questions to the user with `elicitation/create`. @default true */
  readonly questions?: boolean;
}

/**
 * The client capabilities that the host declares to an agent. Questions are declared even without a user: the agent
 * then asks, and the missing answer is recorded.
 */
export function toClientCapabilities({
  files = true,
  terminals = true,
  signInTerminal = false,
  questions = true,
}: ServedResources = {}): ClientCapabilities {
  return {
    ...(files !== false && { fs: { readTextFile: files !== 'write', writeTextFile: true } }),
    ...(terminals && { terminal: true }),
    ...(signInTerminal && { auth: { terminal: true } }),
    subagents: {},
    session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
    ...(questions && { elicitation: { form: {}, url: {} } }),
  };
}
