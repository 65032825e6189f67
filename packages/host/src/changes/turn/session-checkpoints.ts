import { setTimeout as delay } from 'node:timers/promises';
import { WorkspaceError } from '@parley/workspace';
import type { Checkpoint, Checkpoints } from '@parley/workspace/checkpoint';
import type { ChangesEvent } from '../../event/changes-event.ts';
import type { HostEvent } from '../../event/host-event.ts';
import type { ChangesState } from '../../state/changes.ts';
import type { SessionStore } from '../../store/session-store.ts';
import { aborted, untilAborted } from '../../until-aborted.ts';
import {
  activityFolder,
  defaultPromptWaitMs,
  turnEndWaitMs,
  writeWaitMs,
  type ChangesSettings,
} from '../changes-settings.ts';
import { openCover, type Cover } from '../open-cover.ts';
import { PendingEvents, type PendingEvent } from '../pending-events.ts';
import { recoverChanges } from '../recover-changes.ts';
import { Attribution } from './attribution.ts';
import { toChangesEvent } from './changed-files.ts';
import { prefaceOf } from './preface.ts';
import { realFolder, RunningTurns, type RunningTurn, type TurnMark } from './running-turns.ts';
import type { BeginningTurn, TurnCheckpoints } from './turn-checkpoints.ts';
import { toWritingEvent } from './writing-event.ts';

/** Whose turns are covered. */
export interface SessionCheckpointsOptions {
  /** The session's key, which may be another one once its agent has named it. */
  readonly key: () => string;
  readonly store: SessionStore;
  /** How a folder is covered; undefined where that is switched off. */
  readonly settingsIn: (cwd: string) => ChangesSettings | undefined | Promise<ChangesSettings | undefined>;
  /** What earlier turns changed, from the session's event log. */
  readonly state: () => ChangesState;
  /** Appends an event to the session's event log. */
  readonly append: (event: PendingEvent) => void;
  /** Why turns are not covered. */
  readonly onTrouble: (message: string) => void;
}

interface CurrentTurn {
  readonly turn: RunningTurn;
  readonly mark: TurnMark;
  /** Settles with the checkpoint before it, or none. */
  readonly before: Promise<Checkpoint | undefined>;
  /** The prompt has gone out: what changes from then on may be the agent's. */
  readonly sent: AbortController;
}

/** Takes a checkpoint of a session's folder before and after each turn. A turn never fails for it. */
export class SessionCheckpoints implements TurnCheckpoints, AsyncDisposable {
  readonly #options: SessionCheckpointsOptions;
  readonly #closing = new AbortController();
  #cwd: string | undefined;
  #settings: Promise<ChangesSettings | undefined> | undefined;
  #cover: Promise<Cover | undefined> | undefined;
  /** Settles when the first checkpoint is taken: those that follow are quick. */
  #warm: Promise<unknown> = Promise.resolve();
  #attribution: Attribution | undefined;
  #turn: CurrentTurn | undefined;
  #lastTurn = 0;
  #isTroubled = false;
  /** Settles when the turn that runs has ended, with its event. */
  #idle: Promise<void> = Promise.resolve();
  #onEnd: () => void = () => {};

  constructor(options: SessionCheckpointsOptions) {
    this.#options = options;
  }

  note(event: HostEvent): void {
    if (event.type === 'session') this.#open(event.cwd);
    if (event.type === 'turn-end') this.#onEnd();
    const writing = toWritingEvent(event);
    if (writing !== undefined) this.#attribution?.note(writing, Date.now());
  }

  async begin({ sessionId, turnId, cwd }: BeginningTurn): Promise<{ readonly preface?: string }> {
    this.#idle = new Promise((resolve) => {
      this.#onEnd = resolve;
    });
    try {
      this.#open(cwd);
      const settings = await this.#settings;
      const { state, key } = this.#options;
      if (settings === undefined) return {};
      const folder = activityFolder(settings.stateDir);
      await this.#deliver(new PendingEvents(folder));
      const startedAt = Date.now();
      this.#lastTurn = Math.max(this.#lastTurn, state().turnCount) + 1;
      const workspace = await realFolder(cwd);
      const turn = { workspace, key: key(), sessionId, turnId, turn: this.#lastTurn, startedAt };
      this.#attribution ??= new Attribution([cwd, workspace]);
      this.#attribution.beginTurn(startedAt);
      const mark = await new RunningTurns(folder).begin(turn);
      const sent = new AbortController();
      this.#turn = { turn, mark, sent, before: this.#before(mark, sent.signal) };
      return prefaceOf(state().unannounced);
    } catch (error) {
      this.#fail('the checkpoint before the turn was not taken', error);
      return {};
    }
  }

  async beforePrompt(): Promise<void> {
    const { before, sent } = this.#turn ?? {};
    if (before === undefined || sent === undefined) return;
    const { promptWaitMs = defaultPromptWaitMs } = (await this.#settings) ?? {};
    await within(before, promptWaitMs);
    sent.abort(Date.now());
  }

  beforeWrite(signal: AbortSignal): Promise<void> | undefined {
    this.#attribution?.beginWrite(Date.now());
    const { before } = this.#turn ?? {};
    return before === undefined
      ? undefined
      : within(untilAborted(before, signal), writeWaitMs).then(() => undefined);
  }

  async end(): Promise<ChangesEvent | undefined> {
    const current = this.#turn;
    this.#turn = undefined;
    if (current === undefined) return undefined;
    this.#attribution?.endTurn(Date.now());
    try {
      return await this.#end(current);
    } catch (error) {
      this.#fail('what the turn changed is not known', error);
      return undefined;
    } finally {
      await current.mark.end().catch(() => undefined);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#idle;
    this.#closing.abort();
    await this.#warm;
    await (await this.#cover)?.[Symbol.asyncDispose]();
  }

  #open(cwd: string): void {
    if (this.#cwd === cwd) return;
    this.#cwd = cwd;
    const former = this.#cover;
    this.#settings = Promise.resolve(this.#options.settingsIn(cwd));
    this.#cover = this.#openCover(cwd, this.#settings, former);
    this.#attribution = undefined;
    const warm = this.#cover.then((cover) => cover?.checkpoints.take({ signal: this.#closing.signal }));
    this.#warm = warm.catch((error: unknown) => {
      this.#fail('the first checkpoint was not taken', error);
    });
  }

  /** Never rejects. */
  async #openCover(
    cwd: string,
    wanted: Promise<ChangesSettings | undefined>,
    former: Promise<Cover | undefined> | undefined,
  ): Promise<Cover | undefined> {
    try {
      await (await former)?.[Symbol.asyncDispose]();
      const settings = await wanted;
      if (settings === undefined) return undefined;
      const cover = await openCover(cwd, settings);
      await this.#recover(cover);
      return cover;
    } catch (error) {
      this.#fail('what turns change cannot be listed or undone', error);
      return undefined;
    }
  }

  /** What killed processes left is finished first, where no other process does so just now. */
  async #recover(cover: Cover): Promise<void> {
    try {
      await recoverChanges({ ...cover, store: this.#options.store });
      await this.#deliver(cover.pending);
    } catch (error) {
      this.#fail('what an earlier process left was not finished', error);
    }
  }

  async #deliver(pending: PendingEvents): Promise<void> {
    await pending.deliver(this.#options.key(), (event) => {
      this.#options.append(event);
    });
  }

  /** The checkpoint before a turn. Once the prompt is out, it leaves out what has changed since. Never rejects. */
  async #before(mark: TurnMark, sent: AbortSignal): Promise<Checkpoint | undefined> {
    try {
      await this.#warm;
      const cover = await this.#cover;
      if (cover === undefined) return undefined;
      const before = await takeBefore(cover.checkpoints, sent, this.#closing.signal);
      await mark.checkpointed(before.id);
      return before;
    } catch (error) {
      this.#fail('the checkpoint before the turn was not taken', error);
      return undefined;
    }
  }

  async #end({ turn, before: taking }: CurrentTurn): Promise<ChangesEvent | undefined> {
    const over = AbortSignal.timeout(turnEndWaitMs);
    const ready = await untilAborted(Promise.all([taking, this.#cover]), over);
    if (ready === aborted) {
      throw new WorkspaceError(
        'aborted',
        `a checkpoint of the folder takes more than ${String(turnEndWaitMs / 1000)} s`,
      );
    }
    const [before, cover] = ready;
    const attribution = this.#attribution;
    if (before === undefined || cover === undefined || attribution === undefined) return undefined;
    const signal = AbortSignal.any([this.#closing.signal, over]);
    const after = await cover.checkpoints.take({ signal });
    return toChangesEvent(cover.checkpoints, { turn, before, after, attribution });
  }

  /** It is said once in a session. */
  #fail(what: string, error: unknown): void {
    if (this.#isTroubled || this.#closing.signal.aborted) return;
    this.#isTroubled = true;
    const reason = error instanceof Error ? error.message : String(error);
    this.#options.onTrouble(`${what}: ${reason}`);
  }
}

async function takeBefore(
  checkpoints: Checkpoints,
  sent: AbortSignal,
  closing: AbortSignal,
): Promise<Checkpoint> {
  try {
    return await checkpoints.take({ signal: AbortSignal.any([sent, closing]) });
  } catch (error) {
    if (closing.aborted || !sent.aborted) throw error;
  }
  // The prompt is out: with the moment when it went, what the agent has changed by now is left out.
  return checkpoints.take({ signal: closing, changedSince: sentAt(sent) });
}

/** When the prompt went out, as {@link SessionCheckpoints.beforePrompt} noted it. */
function sentAt({ reason }: AbortSignal): number {
  return typeof reason === 'number' ? reason : Date.now();
}

/** Waits, but only so long. */
async function within(work: Promise<unknown>, ms: number): Promise<void> {
  const over = new AbortController();
  const late = delay(ms, undefined, { signal: over.signal, ref: false }).catch(() => undefined);
  await Promise.race([work, late]);
  over.abort();
}
