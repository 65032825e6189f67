import type { Pass } from './gate.ts';

/** Connections that stay open, and what they were opened with. */
export interface LivePasses {
  /**
   * Follows one more.
   *
   * @returns Aborted when what it was opened with counts no more.
   */
  follow(pass: Pass): FollowedPass;
  /** Looks at all of them now. */
  look(): void;
}

/** A connection that is followed until it is disposed of. */
export interface FollowedPass extends Disposable {
  readonly signal: AbortSignal;
}

/** Looks again and again whether the holders of connections may still have them. */
export function createLivePasses(
  counts: (pass: Pass) => boolean,
  { everyMs }: { readonly everyMs: number },
): LivePasses {
  const followed = new Map<AbortController, Pass>();
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    for (const [controller, pass] of followed) if (!counts(pass)) controller.abort();
  };
  return {
    look,
    follow: (pass) => {
      const controller = new AbortController();
      followed.set(controller, pass);
      timer ??= setInterval(look, everyMs).unref();
      return {
        signal: controller.signal,
        [Symbol.dispose]: () => {
          followed.delete(controller);
          if (followed.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
  };
}
