import type { UpdateEvent } from '@parley/host';
import { toPlainLine } from './plain.ts';

/** How many sub-agents are remembered; the oldest is forgotten first. */
const maxSubagents = 4096;

/** The lines about sub-agents: one when it is announced, and one each time it becomes idle. */
export class SubagentLines {
  readonly #subagents = new Map<string, { title: string | undefined; isIdle: boolean }>();

  /** The line about an update, if there is one. */
  take({ view, replay }: UpdateEvent): string | undefined {
    if (view.sessionUpdate !== 'subagent_update') return undefined;
    const { sessionId, title, state } = view;
    const known = this.#subagents.get(sessionId);
    const subagent = known ?? { title: undefined, isIdle: false };
    if (title !== undefined) subagent.title = title ?? undefined;
    const wasIdle = subagent.isIdle;
    if (state !== undefined) subagent.isIdle = state?.state === 'idle';
    if (known === undefined) this.#add(sessionId, subagent);
    if (replay) return undefined;
    const name = `sub-agent ${JSON.stringify(toPlainLine(subagent.title ?? sessionId))}`;
    const stopReason = state?.state === 'idle' ? state.stopReason : undefined;
    const idle = `is idle${stopReason === undefined ? '' : ` (${stopReason})`}`;
    if (known === undefined) return `${name} was announced${subagent.isIdle ? `, and ${idle}` : ''}`;
    return subagent.isIdle && !wasIdle ? `${name} ${idle}` : undefined;
  }

  #add(sessionId: string, subagent: { title: string | undefined; isIdle: boolean }): void {
    this.#subagents.set(sessionId, subagent);
    if (this.#subagents.size <= maxSubagents) return;
    const [oldest] = this.#subagents.keys();
    if (oldest !== undefined) this.#subagents.delete(oldest);
  }
}
