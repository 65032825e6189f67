import type { ClientCapabilities } from '@parley/acp';

/**
 * What the host does for an agent. Questions are declared whether or not a person is there: an agent that needs an
 * answer asks for it then, and that nobody answered is known.
 */
export const clientCapabilities: ClientCapabilities = {
  fs: { readTextFile: true, writeTextFile: true },
  terminal: true,
  session: { configOptions: { boolean: {} }, notices: {}, compaction: {} },
  elicitation: { form: {}, url: {} },
};
