import type { ContentBlock, PromptResponse } from '@parley/acp';
import type { HubAnswer, HubFrame, NewSessionMeta, QueueChange } from '@parley/host/hub';
import type { HubState } from './hub-state.ts';
import type { SessionFeed } from './session-feed.ts';
import type { Store } from './store.ts';

/** Takes a notification of the hub. */
export type HubHearer = (method: string, params: unknown) => void;

/** The interface of the page to the hub. Requests without a connection wait for one, up to a limit. */
export interface HubClient {
  readonly state: Store<HubState>;
  /** Watches a session while it has subscribers, and notifies them when its feed has changed. @returns how to stop */
  watch(key: string, listener: () => void): () => void;
  /** The state of a watched session. */
  feed(key: string): SessionFeed;
  /** Calls back with frames, starting with the stored ones. @returns a function that stops it */
  watchFrames(key: string, onFrames: (frames: readonly HubFrame[]) => void): () => void;
  /** @returns the key of the new session */
  newSession(cwd: string, meta: NewSessionMeta): Promise<string>;
  /** Starts an agent for a session that is kept. */
  resume(key: string): Promise<void>;
  /** Waits while another turn runs. Settles when its own turn has ended. */
  prompt(key: string, blocks: readonly ContentBlock[]): Promise<PromptResponse>;
  /** @param graceMs How long the agent may take to end the turn by itself. */
  cancel(key: string, graceMs?: number): Promise<void>;
  setMode(key: string, modeId: string): Promise<void>;
  setOption(key: string, id: string, value: string | boolean): Promise<void>;
  answer(key: string, requestId: string, answer: HubAnswer): Promise<void>;
  changeQueue(key: string, change: QueueChange): Promise<void>;
  rename(key: string, title: string | undefined): Promise<void>;
  close(key: string): Promise<void>;
  /** Sends a request that only one part of the page uses. */
  ask<Answer>(method: string, params: object): Promise<Answer>;
  /** Calls back with notifications that only one part of the page takes. @returns how to stop */
  hear(listener: HubHearer): () => void;
  /** Reconnects at once instead of waiting. */
  reconnect(): void;
}
