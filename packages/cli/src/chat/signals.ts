import { CliError } from '../cli-error.ts';
import type { Ending } from '../conversation/ending.ts';
import type { ChatSession } from './chat-session.ts';

/**
 * Lets Ctrl-C stop the running turn, and a second one, or any other signal, end the chat. The turn is cancelled; at a
 * second signal the agent is not waited for.
 *
 * @param leave Leaves a turn that continues without this terminal: other signals than Ctrl-C do not cancel it.
 */
export function listenForChatSignals(session: ChatSession, ending: Ending, leave?: () => void): Disposable {
  const end = (cause: CliError): void => {
    ending.begin(cause);
    if (!session.cancel()) session.abandon();
  };
  const close = (cause: CliError): void => {
    if (leave === undefined) return end(cause);
    ending.begin(cause);
    leave();
  };
  const listeners = {
    SIGINT: () => {
      if (!session.cancel()) end(new CliError('interrupted', 'interrupted'));
    },
    SIGTERM: () => {
      close(new CliError('terminated', 'terminated'));
    },
    SIGHUP: () => {
      close(new CliError('hung-up', 'the terminal was closed'));
    },
  };
  for (const [signal, listener] of Object.entries(listeners)) process.on(signal, listener);
  return {
    [Symbol.dispose]() {
      for (const [signal, listener] of Object.entries(listeners)) process.off(signal, listener);
    },
  };
}
