/** Watches for an agent that says nothing. */
export interface SilenceWatch extends Disposable {
  /** The agent said something. */
  heard(): void;
  /** The user is deciding: that is not the agent's silence. Call what it returns when the user has decided. */
  pause(): () => void;
}

/** Calls `onSilence` once after a period without messages. */
export function watchSilence(
  limitMs: number,
  onSilence: () => void,
  now: () => number = () => performance.now(),
): SilenceWatch {
  let last = now();
  let pauses = 0;
  let timer: NodeJS.Timeout | undefined = setTimeout(check, limitMs);

  // One timer, which looks when it fires how long the silence has lasted: hearing something costs next to nothing.
  function check(): void {
    timer = undefined;
    const left = last + limitMs - now();
    if (pauses > 0) return;
    if (left <= 0) onSilence();
    else timer = setTimeout(check, left);
  }

  return {
    heard() {
      last = now();
    },
    pause() {
      pauses += 1;
      let isPaused = true;
      return () => {
        if (!isPaused) return;
        isPaused = false;
        pauses -= 1;
        last = now();
        if (pauses === 0) timer ??= setTimeout(check, limitMs);
      };
    },
    [Symbol.dispose]() {
      clearTimeout(timer);
      pauses += 1;
    },
  };
}
