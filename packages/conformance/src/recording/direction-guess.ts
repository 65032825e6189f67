import { clientNotifications, clientRequests } from '@parley/acp';
import { at } from '../acp-v1/json-value.ts';
import type { FrameDirection } from './entry.ts';
import { idKey, viewMessage } from './message-view.ts';

/** Tells which way messages went that were written down without saying so, as other tools do. */
export class DirectionGuess {
  /** The requests without an answer, by the direction of the request. */
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
        return view.method === '$/cancel_request' ? this.#askedBy(view.params) : directionOf(view.method);
      case 'result':
      case 'error':
        return this.#answered(idKey(view.id));
      case 'unknown':
        return 'in';
    }
  }

  /** An answer goes the other way; where both sides asked under this id, the agent's question is the inner one. */
  #answered(id: string): FrameDirection {
    if (this.#open.in.delete(id)) return 'out';
    this.#open.out.delete(id);
    return 'in';
  }

  #askedBy(params: unknown): FrameDirection {
    return this.#open.in.has(idKey(at(params, 'requestId'))) ? 'in' : 'out';
  }
}

const maxOpen = 10_000;

/** What clients serve comes from the agent. */
function directionOf(method: string): FrameDirection {
  const isServed = method in clientRequests || method in clientNotifications;
  return isServed || /^_?(?:fs|terminal|elicitation)\/|\/ask_user$/u.test(method) ? 'in' : 'out';
}
