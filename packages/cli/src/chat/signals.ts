import { CliError } from '../cli-error.ts';
import type { Ending } from '../conversation/ending.ts';
import type { ChatSession } from './chat-session.ts';

/** Lets Ctrl-C stop the running turn, and a second one, or any other signal, end the chat. */
export function listenForChatSignals(session: ChatSession, ending: Ending): Disposable {
  const end = (cause: CliError): void => {
    ending.begin(cause);
    session.abandon();
  };
  const listeners = {
    SIGINT: () => {
      if (!session.cancel()) end(new CliError('interrupted', 'interrupted'));
    },
    SIGTERM: () => {
      end(new CliError('terminated', 'terminated'));
    },
    SIGHUP: () => {
      end(new CliError('hung-up', 'the terminal was closed'));
    },
  };
  for (const [signal, listener] of Object.entries(listeners)) process.on(signal, listener);
  return {
    [Symbol.dispose]() {
      for (const [signal, listener] of Object.entries(listeners)) process.off(signal, listener);
    },
  };
}
