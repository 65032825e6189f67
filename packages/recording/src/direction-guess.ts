import { valueAt } from '@parley/wire';
import type { FrameDirection } from './entry.ts';
import { idKey, viewMessage } from './message-view.ts';

/** Guesses the direction of messages that other tools recorded without one. */
export class DirectionGuess {
  /** Requests without a response, by the direction of the request. */
  readonly #open: Readonly<Record<FrameDirection, Set<string>>> = { in: new Set(), out: new Set() };

  guess(message: unknown): FrameDirection {
    const view = viewMessage(message);
    switch (view.kind) {
      case 'request': {
        const direction = directionOf(view.method);
        const open = this.#open[direction];
        if (open.size < maxOpen) open.add(idKey(view.id));
        return direction;
      }
      case 'notification':
        return view.method === '$/cancel_request' ? this.#requesterOf(view.params) : directionOf(view.method);
      case 'result':
      case 'error':
        return this.#answered(idKey(view.id));
      case 'unknown':
        return 'in';
    }
  }

  /** A response goes the other way. Where both sides have a request of this id, the agent's is the inner one. */
  #answered(id: string): FrameDirection {
    if (this.#open.in.delete(id)) return 'out';
    this.#open.out.delete(id);
    return 'in';
  }

  #requesterOf(params: unknown): FrameDirection {
    return this.#open.in.has(idKey(valueAt(params, 'requestId'))) ? 'in' : 'out';
  }
}

/** Open requests that are remembered to guess directions. */
const maxOpen = 10_000;

/** Methods that clients serve come from the agent. */
function directionOf(method: string): FrameDirection {
  return clientMethod.test(method) ? 'in' : 'out';
}

// ACP v1: the client serves two methods of sessions, and all of files, terminals and elicitation. `ask_user` is an extension
// that Agentao uses.
const clientMethod = /^session\/(?:update|request_permission)$|^_?(?:fs|terminal|elicitation)\/|\/ask_user$/u;
