import type { CommandSandbox } from '../environment.ts';
import type { Workplace } from '../tools/tool.ts';

/** What holds the commands of a conversation. It is looked up when the mode of the conversation first needs it. */
export class ConversationSandbox {
  readonly #workplace: Workplace;
  #found: Promise<CommandSandbox | undefined> | undefined;

  constructor(workplace: Workplace) {
    this.#workplace = workplace;
  }

  /** Undefined where commands are not held. */
  async find(): Promise<CommandSandbox | undefined> {
    const { environment, files } = this.#workplace;
    const found = (this.#found ??= environment.findCommandSandbox?.(files.directories));
    try {
      return await found;
    } catch (error) {
      // A configuration that could not be read, for example, may be mended by the next turn.
      this.#found = undefined;
      throw error;
    }
  }

  /** Call this when no command runs any more. */
  async close(): Promise<void> {
    await (await this.#found)?.[Symbol.asyncDispose]();
  }
}
