import type { ClientCapabilities } from '@parley/acp';

/** What of the client's machine an agent may reach through the host. */
export interface ServedResources {
  /** `fs/read_text_file` and `fs/write_text_file`; `write` is the second alone. @default true */
  readonly files?: boolean | 'write';
  /** `terminal/create` and what belongs to it. @default true */
  readonly terminals?: boolean;
  /** A terminal of the user, to sign in: sign-in methods of the kind `terminal` can be carried out. @default false */
  readonly signInTerminal?: boolean;
  /** Questions to the user, `elicitation/create`. @default true */
  readonly questions?: boolean;
}

/**
 * What the host does for an agent. Questions are declared with or without a user: an agent that needs an
 * answer asks for it then, and the missing answer is recorded.
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
    session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
    ...(questions && { elicitation: { form: {}, url: {} } }),
  };
}
