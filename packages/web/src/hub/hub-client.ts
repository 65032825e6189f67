import type { ContentBlock, PromptResponse } from '@parley/acp';
import type { HubAnswer, HubFrame, ListedAnswer, NewSessionMeta, QueueChange } from '@parley/host/hub';
import type { ChangesRequests } from './changes-requests.ts';
import type { HubState } from './hub-state.ts';
import type { SessionFeed } from './session-feed.ts';
import type { Store } from './store.ts';

/** The hub, as the interface uses it. What is asked for while there is no connection waits for one, for a while. */
export interface HubClient {
  readonly state: Store<HubState>;
  /** Watches a session while it has subscribers, and notifies them when its feed has changed. @returns how to stop */
  watch(key: string, listener: () => void): () => void;
  /** What is known of a session that is watched. */
  feed(key: string): SessionFeed;
  /** Calls back with frames, those that are kept first. @returns how to stop */
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
  /** What was answered for longer than once. */
  answers(): Promise<readonly ListedAnswer[]>;
  /** Revokes a remembered answer. */
  revoke(id: string): Promise<void>;
  /** Asks about what turns changed, undoes and reviews it. */
  changes<Name extends keyof ChangesRequests>(
    name: Name,
    key: string,
    params: ChangesRequests[Name]['params'],
  ): Promise<ChangesRequests[Name]['result']>;
  changeQueue(key: string, change: QueueChange): Promise<void>;
  rename(key: string, title: string | undefined): Promise<void>;
  restart(key: string): Promise<void>;
  close(key: string): Promise<void>;
  remove(key: string): Promise<void>;
  /** @returns the key of the copy */
  fork(key: string): Promise<string>;
  signIn(agent: string, methodId: string, values?: Readonly<Record<string, string>>): Promise<void>;
  /** Tries at once what would be tried later. */
  reconnect(): void;
}
