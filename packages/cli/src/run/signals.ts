import { CliError } from '../cli-error.ts';
import type { Ending } from '../conversation/ending.ts';

/** Lets the signals of the system end a run: the first one begins it, a further one hurries it. */
export function listenForSignals(ending: Ending): Disposable {
  const end = (cause: () => CliError) => () => {
    if (ending.begun.aborted) ending.hurry();
    else ending.begin(cause());
  };
  const listeners = {
    SIGINT: end(() => new CliError('interrupted', 'interrupted')),
    SIGTERM: end(() => new CliError('terminated', 'terminated')),
    SIGHUP: end(() => new CliError('hung-up', 'the terminal was closed')),
  };
  for (const [signal, listener] of Object.entries(listeners)) process.on(signal, listener);
  return {
    [Symbol.dispose]() {
      for (const [signal, listener] of Object.entries(listeners)) process.off(signal, listener);
    },
  };
}
