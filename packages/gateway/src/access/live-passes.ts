import type { Pass } from './gate.ts';

/** Connections that stay open, and what they were opened with. */
export interface LivePasses {
  /** Follows the credentials of a connection. @returns A signal that is aborted when they become invalid. */
  follow(pass: Pass): FollowedPass;
  /** Checks all followed credentials now. */
  look(): void;
}

/** A connection that is followed until it is disposed of. */
export interface FollowedPass extends Disposable {
  readonly signal: AbortSignal;
}

/** Repeatedly checks the credentials of open connections. */
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
