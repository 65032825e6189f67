import type { HostEvent } from '@parley/host';

/** Time after which a slow start of an agent, or of a session, is reported. */
const patienceMs = 3000;
/** Lines of standard error that are buffered until then. */
const keptLines = 10;

/** Follows the starts of an agent, and the opening of its sessions. */
export interface StartWatch extends Disposable {
  take(event: HostEvent): void;
}

/**
 * Shows what an agent writes to standard error while its start takes long: it may be installing something, or be waiting
 * for input that will not come.
 */
export function watchStart(log: (message: string) => void): StartWatch {
  let timer: NodeJS.Timeout | undefined;
  let isShown = false;
  /** Whole lines that were not shown, and the beginning of the next. */
  let lines: readonly string[] = [];
  let begun = '';

  function show(): void {
    for (const line of lines) log(`| ${line}`);
    lines = [];
  }

  function begin(what: string): void {
    stop();
    timer = setTimeout(() => {
      isShown = true;
      log(`${what}; its standard error:`);
      show();
    }, patienceMs);
  }

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
    isShown = false;
    lines = [];
    begun = '';
  }

  function read(text: string): void {
    const [first = '', ...others] = text.split('\n');
    const whole = [begun + first, ...others];
    begun = (whole.pop() ?? '').slice(-1000);
    lines = [...lines, ...whole].slice(-keptLines);
    if (isShown) show();
  }

  return {
    take(event) {
      switch (event.type) {
        case 'agent-starting':
          return begin(`${event.agent} is still starting`);
        case 'session-opening':
          return begin(`${event.agent} is still opening the session`);
        case 'agent-start':
        case 'agent-end':
        case 'session-ready':
        case 'session-not-opened':
          return stop();
        case 'stderr':
          if (timer !== undefined) read(event.text);
          return undefined;
        default:
          return undefined;
      }
    },
    [Symbol.dispose]: stop,
  };
}
