import type { Run, RunEnd, SessionChange } from '@parley/aap/server';
import type { SessionUpdate } from '@parley/acp';
import {
  findJournal,
  recoverSession,
  removeJournal,
  type AgentHandle,
  type PromptResult,
  type Session,
} from '@parley/host';
import { toldTool } from '../client-tools/told-call.ts';
import type { AgentPool, PoolPlace, PoolTenant } from '../pool/agent-pool.ts';
import { startAgentProcess, type AgentListener, type AgentProcess } from './agent-process.ts';
import { both } from './both.ts';
import type { BridgeOptions } from './bridge-options.ts';
import { BridgedRun } from './bridged-run.ts';
import { planLaunch, secretsOf, willDo, type LaunchPlan } from './launch-plan.ts';
import { applyOptions, changedValues, settingsOf } from './option-values.ts';
import { toPrompt } from './prompt-blocks.ts';
import { Redaction } from './redaction.ts';
import { toFailedEnd, toRunEnd } from './run-end.ts';
import { parseSessionRecord, type SessionRecord } from './session-record.ts';

/** How long an agent may take to delete a session. */
const deleteTimeoutMs = 5000;

/** What is said of a call whose agent ended in the middle of it. */
const unknownOutcome = 'The agent is gone: whether this was done, and what came of it, is not known.';

/** What a session needs besides the options of its bridge. */
export interface BridgedSessionOptions {
  readonly sessionId: string;
  readonly bridge: BridgeOptions;
  readonly pool: AgentPool;
  /** The values of the agent's options that hold where nobody chose any. */
  readonly defaults: () => Readonly<Record<string, string>>;
  /** Told when a session of the agent is open: what it offers may be news. */
  readonly onOpened: (handle: AgentHandle, session: Session) => void;
  /** Told when its agent was ended to make room. */
  readonly onStopped: () => void;
}

/** A session of the agent's, open in its process. */
interface OpenSession {
  readonly session: Session;
  /** Whether the agent knows what was said before. */
  isInformed: boolean;
}

/** A session of an application, with an agent of its own that is started when it is needed and may be ended in between. */
export class BridgedSession implements PoolTenant {
  readonly sessionId: string;
  readonly #options: BridgedSessionOptions;
  readonly #listener: AgentListener;
  #place: PoolPlace | undefined;
  #process: AgentProcess | undefined;
  #open: OpenSession | undefined;
  /** The run that is going on. */
  #running: BridgedRun | undefined;
  /** The run that is going on, or went on last: what the agent changes of the session counts also later. */
  #lastRun: Run | undefined;
  #isSetting = false;
  #ending: Promise<void> = Promise.resolve();

  constructor(options: BridgedSessionOptions) {
    this.sessionId = options.sessionId;
    this.#options = options;
    this.#listener = {
      update: (view, { late, replay }) => {
        // A history that is told again is known.
        if (replay) return undefined;
        return both(this.#noteChange(view), late ? undefined : this.#running?.take(view));
      },
      permission: (request) => this.#running?.permission(request) ?? Promise.resolve('cancelled'),
      elicitation: (request) => this.#running?.elicitation(request) ?? Promise.resolve({ action: 'cancel' }),
      callTool: (call) => {
        if (this.#running !== undefined) return this.#running.callTool(call);
        return Promise.reject(new Error(`${call.name}: no turn of the session is going on`));
      },
    };
  }

  /** Carries out a run: one prompt, however many turns of the application it takes. */
  async run(run: Run): Promise<RunEnd> {
    this.#lastRun = run;
    try {
      return await this.#prompt(run, await this.#ready(run));
    } catch (error) {
      if (run.signal.aborted) return toRunEnd({ stopReason: 'cancelled' }, run.signal.reason);
      return toFailedEnd(error, new Redaction(secretsOf(this.#options.bridge, run.options)));
    } finally {
      if (this.#process?.isOver === true) await this.#end();
      else this.#place?.idle();
    }
  }

  /** Whether an agent runs for it. */
  get hasProcess(): boolean {
    return this.#process !== undefined;
  }

  /** Ends the agent; the next run starts it again. Never rejects. */
  async stop(): Promise<void> {
    await this.#end();
    this.#options.onStopped();
  }

  /** The session is deleted: neither the agent nor its journal is to keep anything of it. */
  async forget(state: unknown): Promise<void> {
    await this.#deleteFromAgent();
    await this.#end();
    const { journals, name } = this.#options.bridge;
    const record = parseSessionRecord(state);
    if (record === undefined || journals === undefined) return;
    const found = await findJournal(journals.directory, { agent: name, sessionId: record.agentSession });
    if (found !== undefined) await removeJournal(found.folder);
  }

  async #prompt(run: Run, process: AgentProcess): Promise<RunEnd> {
    const bridged = new BridgedRun(run, {
      redaction: process.redaction,
      isApplicationCall: (call) => toldTool(call, run.clientTools) !== undefined,
      onAnswer: () => this.#refresh(run, process),
    });
    this.#running = bridged;
    try {
      const result = await this.#promptAgent(run, process, bridged.signal);
      bridged.throwIfFailed();
      await bridged.end('The agent told nothing more of this call.');
      return toRunEnd(result, run.signal.reason);
    } catch (error) {
      await bridged.end(unknownOutcome).catch(() => {
        // The run is over: nobody is left to be told.
      });
      throw error;
    } finally {
      this.#running = undefined;
    }
  }

  async #promptAgent(run: Run, process: AgentProcess, signal: AbortSignal): Promise<PromptResult> {
    const open = await this.#openSession(run, process);
    const { session } = open;
    await this.#applyOptions(run, session);
    const unknown = open.isInformed ? [] : run.history;
    const blocks = toPrompt({ input: run.input, unknown }, process.handle.capabilities.promptCapabilities);
    // A session that does not get its history told is not gone on with: another is begun then.
    if (unknown.length === 0) await this.#remember(run, open);
    const { trace } = run;
    const result = await session.prompt(blocks, { signal, ...(trace !== undefined && { trace }) });
    await this.#remember(run, open);
    return result;
  }

  /** The agent of the session, with all that the run needs it to be started with. */
  async #ready(run: Run): Promise<AgentProcess> {
    const { bridge, sessionId } = this.#options;
    const plan = planLaunch(bridge, run);
    await this.#ending;
    const process = this.#process;
    if (process !== undefined && this.#place?.use() === true && canGoOn(process, plan)) {
      process.setTools(plan.tools);
      return process;
    }
    await this.#end();
    const { signal } = run;
    const place = await this.#options.pool.acquire(this, { signal });
    try {
      const started = await startAgentProcess(bridge, {
        plan,
        secrets: secretsOf(bridge, run.options),
        listener: this.#listener,
        signal,
        sessionId,
      });
      this.#place = place;
      this.#process = started;
      return started;
    } catch (error) {
      place.release();
      throw error;
    }
  }

  /** The agent's session: the one that is open, the one it had before, or a new one. */
  async #openSession(run: Run, process: AgentProcess): Promise<OpenSession> {
    const { cwd } = planLaunch(this.#options.bridge, run);
    if (this.#open !== undefined) {
      if (this.#open.isInformed && this.#open.session.cwd === cwd) return this.#open;
      await this.#open.session.close();
    }
    const { handle, toolServer } = process;
    const options = {
      cwd,
      mcpServers: toolServer === undefined ? [] : [toolServer],
      signal: run.signal,
    };
    const record = parseSessionRecord(run.state);
    const { session, by } =
      record?.cwd === cwd
        ? await recoverSession(handle, record.agentSession, options)
        : { session: await handle.openSession(options), by: 'new' };
    this.#open = { session, isInformed: by !== 'new' };
    this.#options.onOpened(handle, session);
    return this.#open;
  }

  /** The agent knows now what was said: the session can be gone on with by its id. */
  async #remember(run: Run, open: OpenSession): Promise<void> {
    open.isInformed = true;
    const { id: agentSession, cwd } = open.session;
    const record = parseSessionRecord(run.state);
    if (record?.agentSession === agentSession && record.cwd === cwd) return;
    await run.remember({ agentSession, cwd } satisfies SessionRecord);
  }

  /** An answer of the application may have come with other settings. */
  async #refresh(run: Run, process: AgentProcess): Promise<void> {
    if (this.#open === undefined || run.signal.aborted) return;
    process.setTools(run.clientTools);
    try {
      await this.#applyOptions(run, this.#open.session);
    } catch (error) {
      // The answer counts all the same.
      const title = error instanceof Error ? error.message : String(error);
      await run.extension('notice', { severity: 'warning', title: process.redaction.text(title) });
    }
  }

  async #applyOptions(run: Run, session: Session): Promise<void> {
    this.#isSetting = true;
    try {
      await applyOptions(session, run.options, {
        defaults: this.#options.defaults(),
        signal: run.signal,
      });
    } finally {
      this.#isSetting = false;
    }
  }

  /** What the agent changes of the session itself, which counts also between two runs. */
  #noteChange(update: SessionUpdate): Promise<void> | undefined {
    const run = this.#lastRun;
    if (run === undefined) return undefined;
    if (update.sessionUpdate === 'session_info_update') {
      const { title } = update;
      return typeof title === 'string' && title !== '' ? this.#change(run, { title }) : undefined;
    }
    // While we set them, what the agent tells is what it was told, and not yet all of it.
    if (this.#open === undefined || this.#isSetting) return undefined;
    const values = changedValues(update, settingsOf(this.#open.session)) ?? {};
    const options = Object.fromEntries(
      Object.entries(values).filter(([name, value]) => run.options[name] !== value),
    );
    if (Object.keys(options).length === 0) return undefined;
    return this.#change(run, { options });
  }

  async #change(run: Run, change: SessionChange): Promise<void> {
    try {
      await run.updateSession(change);
      if (this.#running !== undefined && change.options !== undefined) {
        await run.extension('options', { options: change.options });
      }
    } catch {
      // The session is gone, or its store: whatever else is told of it says so.
    }
  }

  async #deleteFromAgent(): Promise<void> {
    const [process, open] = [this.#process, this.#open];
    if (process === undefined || open === undefined || process.isOver) return;
    const { agent, capabilities } = process.handle;
    await open.session.close();
    if (capabilities.sessionCapabilities?.delete === undefined) return;
    try {
      await agent.request('session/delete', { sessionId: open.session.id }, { timeoutMs: deleteTimeoutMs });
    } catch {
      // It keeps what it has: there is nobody left to be told.
    }
  }

  #end(): Promise<void> {
    const [process, place] = [this.#process, this.#place];
    if (process === undefined) return this.#ending;
    this.#process = undefined;
    this.#place = undefined;
    this.#open = undefined;
    this.#ending = process.end().finally(() => place?.release());
    return this.#ending;
  }
}

/** Whether an agent that runs does for what is wanted now. Other tools it is only told of if it could not be started again. */
function canGoOn(process: AgentProcess, plan: LaunchPlan): boolean {
  return !process.isOver && willDo(process.plan, plan, { canChangeTools: !process.canContinue });
}
