import type { HostEvent } from '@parley/host';

/** How long an agent may take to start without a word. */
const patienceMs = 3000;
/** How many lines of its standard error are kept until then. */
const keptLines = 10;

/** Follows the starts of an agent. */
export interface StartWatch extends Disposable {
  take(event: HostEvent): void;
}

/**
 * Shows what an agent writes to standard error while its start takes long: it may be installing something, or be waiting
 * for something that nobody will give it.
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

  function begin(agent: string): void {
    stop();
    timer = setTimeout(() => {
      isShown = true;
      log(`${agent} is still starting; what it writes to standard error:`);
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
      if (event.type === 'agent-starting') begin(event.agent);
      else if (event.type === 'agent-start' || event.type === 'agent-end') stop();
      else if (event.type === 'stderr' && timer !== undefined) read(event.text);
    },
    [Symbol.dispose]: stop,
  };
}
