import type { Action } from './action.ts';
import type { RememberedAnswer } from './decide.ts';

/** Lasting answers of one session's user. Each covers no more than its option said, see `permissionOptions`. */
export class PermissionMemory {
  readonly #answers = new Map<string, RememberedAnswer>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  recall(action: Action): RememberedAnswer | undefined {
    return this.#answers.get(scopeOf(action));
  }

  remember(action: Action, answer: RememberedAnswer): void {
    this.#answers.set(scopeOf(action), answer);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > this.#limit && oldest !== undefined) this.#answers.delete(oldest);
  }
}

function scopeOf(action: Action): string {
  switch (action.kind) {
    case 'execute':
      return `execute ${action.command}`;
    case 'fetch':
      return `fetch ${action.host}`;
    case 'mcp':
      return `mcp ${action.tool}`;
    case 'read':
    case 'none':
    case 'ask-user':
    case 'edit':
    case 'delete':
    case 'move':
      return action.kind;
  }
}
