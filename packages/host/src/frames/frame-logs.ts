import type { HubSession } from '../hub/hub-session.ts';
import type { SessionLimits } from '../session/session-limits.ts';
import type { SessionRuntime } from '../session/session-runtime.ts';
import type { SessionStore } from '../store/session-store.ts';
import { FrameLog } from './frame-log.ts';

/** Where frames are recorded: in the folders of their sessions. */
export interface FrameLogsOptions extends Pick<SessionRuntime, 'info' | 'onFault'> {
  readonly eventLogs: { readonly store: Pick<SessionStore, 'folderOf'> };
}

/** The frames of all sessions that a client watches or controls. */
export class FrameLogs {
  readonly #options: FrameLogsOptions;
  readonly #limits: SessionLimits;
  readonly #logs = new Map<string, FrameLog>();

  constructor(options: FrameLogsOptions, limits: SessionLimits) {
    this.#options = options;
    this.#limits = limits;
  }

  /** Returns the frame log of a session, always the same one. */
  of({ key, agent, cwd }: Pick<HubSession, 'key' | 'agent' | 'cwd'>): FrameLog {
    const known = this.#logs.get(key);
    if (known !== undefined) return known;
    const { info, eventLogs, onFault = () => {} } = this.#options;
    const folder = eventLogs.store.folderOf(key);
    const head = { program: `${info.name} ${info.version}`, agent, cwd };
    const log = new FrameLog({ folder, head, limits: this.#limits, onFault });
    this.#logs.set(key, log);
    return log;
  }

  delete(key: string): void {
    this.#logs.delete(key);
  }
}
