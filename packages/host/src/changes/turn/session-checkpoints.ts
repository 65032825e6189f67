import { atMost, systemClock } from '@parley/wire';
import { WorkspaceError } from '@parley/workspace';
import type { Checkpoint } from '@parley/workspace/checkpoint';
import type { ChangesEvent } from '../../event/changes-event.ts';
import type { HostEvent } from '../../event/host-event.ts';
import type { ChangesState } from '../../state/changes-state.ts';
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
import { AgentPace } from './agent-pace.ts';
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
  /** Why turns are not covered, or what was found that a killed process left. */
  readonly onTrouble: (message: string) => void;
}

interface CurrentTurn {
  readonly turn: RunningTurn;
  readonly mark: TurnMark;
  /** Settles with the checkpoint before it, or none. */
  readonly before: Promise<Checkpoint | undefined>;
  /** Aborted when the prompt is sent: later changes may be the agent's. */
  readonly sent: AbortController;
}

/** Takes a checkpoint of a session's folder before and after each turn. A turn never fails for it. */
export class SessionCheckpoints implements TurnCheckpoints, AsyncDisposable {
  readonly #options: SessionCheckpointsOptions;
  readonly #closing = new AbortController();
  #cwd: string | undefined;
  #settings: Promise<ChangesSettings | undefined> | undefined;
  #cover: Promise<Cover | undefined> | undefined;
  /** The first checkpoint: later ones are faster. */
  #first: Promise<Checkpoint | undefined> = Promise.resolve(undefined);
  /** Aborted when the first prompt since that checkpoint was requested is sent. */
  #firstSent: AbortSignal | undefined;
  /** Settles when what killed processes left is finished. */
  #recovered: Promise<void> | undefined;
  #onSession: () => void = () => {};
  /** Settles when the session is open: trouble is reported to it. */
  readonly #opened = new Promise<void>((resolve) => {
    this.#onSession = resolve;
  });
  #attribution: Attribution | undefined;
  readonly #pace = new AgentPace();
  #turn: CurrentTurn | undefined;
  #lastTurn = 0;
  #isTroubled = false;
  /** Settles when the turn that runs has ended, with its event. */
  #idle: Promise<void> = Promise.resolve();
  #onEnd: () => void = () => {};

  constructor(options: SessionCheckpointsOptions) {
    this.#options = options;
  }

  prepare(cwd: string): void {
    if (this.#cwd === cwd) return;
    this.#cwd = cwd;
    const former = this.#cover;
    const formerRecovery = this.#recovered;
    this.#settings = Promise.resolve(this.#options.settingsIn(cwd));
    this.#cover = this.#openCover(cwd, this.#settings, async () => {
      await formerRecovery;
      await (await former)?.[Symbol.asyncDispose]();
    });
    this.#recovered = undefined;
    this.#attribution = undefined;
    this.#firstSent = undefined;
    const changedSince = (): number | undefined => sentAt(this.#firstSent);
    const take = { signal: this.#closing.signal, changedSince };
    this.#first = this.#cover
      .then((cover) => cover?.checkpoints.take(take))
      .catch((error: unknown) => {
        this.#fail('the checkpoint before the turn was not taken', error);
        return undefined;
      });
  }

  note(event: HostEvent): void {
    if (event.type === 'session') {
      this.#open(event.cwd);
      this.#onSession();
    }
    if (event.type === 'turn-end') this.#onEnd();
    this.#pace.note(event, Date.now);
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
      this.#firstSent ??= sent.signal;
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
    if (!this.#pace.isSlowerThanCheckpoints) await atMost(promptWaitMs, systemClock, before);
    const now = Date.now();
    sent.abort(now);
    this.#pace.sent(now);
  }

  beforeWrite(signal: AbortSignal): Promise<void> | undefined {
    this.#attribution?.beginWrite(Date.now());
    const { before } = this.#turn ?? {};
    return before === undefined ? undefined : atMost(writeWaitMs, systemClock, untilAborted(before, signal));
  }

  async end(): Promise<ChangesEvent | undefined> {
    const current = this.#turn;
    this.#turn = undefined;
    if (current === undefined) return undefined;
    const now = Date.now();
    this.#attribution?.endTurn(now);
    try {
      const changes = await this.#end(current);
      this.#pace.ended(changes, now);
      return changes;
    } catch (error) {
      this.#fail('the changes of the turn are unknown', error);
      return undefined;
    } finally {
      await current.mark.end().catch(() => undefined);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#idle;
    this.#closing.abort();
    await this.#first;
    await this.#recovered;
    await (await this.#cover)?.[Symbol.asyncDispose]();
  }

  /** The session is open: its event log receives what killed processes left. */
  #open(cwd: string): void {
    this.prepare(cwd);
    this.#recovered ??= this.#recover(this.#cover);
  }

  /** Never rejects. */
  async #openCover(
    cwd: string,
    wanted: Promise<ChangesSettings | undefined>,
    closeFormer: () => Promise<void>,
  ): Promise<Cover | undefined> {
    try {
      await closeFormer();
      const settings = await wanted;
      return settings === undefined ? undefined : await openCover(cwd, settings);
    } catch (error) {
      this.#fail('changes of turns cannot be listed or undone', error);
      return undefined;
    }
  }

  /** Finishes restores of killed processes before the first turn, unless another process is doing it. Never rejects. */
  async #recover(opening: Promise<Cover | undefined> | undefined): Promise<void> {
    try {
      const cover = await opening;
      if (cover === undefined) return;
      const { store, key, onTrouble } = this.#options;
      await recoverChanges({
        ...cover,
        store,
        // Its own session reads it in its event log.
        onFinished: (message, of) => of !== key() && onTrouble(`in session ${of}, ${message}`),
      });
      await this.#deliver(cover.pending);
    } catch (error) {
      this.#fail('an interrupted restore of an earlier process could not be finished', error);
    }
  }

  async #deliver(pending: PendingEvents): Promise<void> {
    await pending.deliver(this.#options.key(), (event) => {
      this.#options.append(event);
    });
  }

  /** Takes the checkpoint before a turn. Files that change after the prompt is sent are left out. Never rejects. */
  async #before(mark: TurnMark, sent: AbortSignal): Promise<Checkpoint | undefined> {
    try {
      const first = await this.#first;
      // The prompt was sent while the first checkpoint was taken. A later one could not know what the files were before.
      const isBefore = sent.aborted;
      await this.#recovered;
      const cover = await this.#cover;
      if (cover === undefined) return undefined;
      const before = isBefore && first !== undefined ? first : await this.#take(cover, sent);
      await mark.checkpointed(before.id);
      return before;
    } catch (error) {
      this.#fail('the checkpoint before the turn was not taken', error);
      return undefined;
    }
  }

  async #take({ checkpoints }: Cover, sent: AbortSignal): Promise<Checkpoint> {
    const startedAt = Date.now();
    const taken = await checkpoints.take({ signal: this.#closing.signal, changedSince: () => sentAt(sent) });
    this.#pace.checkpointed(Date.now() - startedAt);
    return taken;
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
    return toChangesEvent(cover.checkpoints, {
      turn,
      before,
      after,
      attribution,
      machine: cover.machine,
    });
  }

  /** Reports a failure once per session. */
  #fail(what: string, error: unknown): void {
    if (this.#isTroubled || this.#closing.signal.aborted) return;
    this.#isTroubled = true;
    const reason = error instanceof Error ? error.message : String(error);
    void this.#opened.then(() => {
      this.#options.onTrouble(`${what}: ${reason}`);
    });
  }
}

/** When the prompt went out, as {@link SessionCheckpoints.beforePrompt} noted it. */
function sentAt(sent: AbortSignal | undefined): number | undefined {
  return typeof sent?.reason === 'number' ? sent.reason : undefined;
}
