import { env } from 'node:process';
import type { Run, RunEnd, SessionChange } from '@parley/aap/server';
import type { SessionUpdate } from '@parley/acp';
import {
  OnDemandAgent,
  recoverSession,
  Redaction,
  type AgentConnection,
  type AgentPool,
  type PromptResult,
  type AgentSession,
  type SlotUser,
} from '@parley/host';
import { findTool } from '../client-tools/find-tool.ts';
import { startAgentProcess, type AgentListener, type AgentProcess } from './agent-process.ts';
import { both } from './both.ts';
import type { BridgeOptions } from './bridge-options.ts';
import { BridgedRun } from './bridged-run.ts';
import { planLaunch, secretsOf, willDo, type LaunchPlan } from './launch-plan.ts';
import { leaveSession } from './leave-session.ts';
import {
  applyOptions,
  changedValues,
  changesSettings,
  settingsOf,
  type OptionPreferences,
} from './option-values.ts';
import { toPrompt } from './prompt-blocks.ts';
import { toFailedEnd, toRunEnd } from './run-end.ts';
import { nextRecord, parseSessionRecord } from './session-record.ts';
import { signedIn } from './sign-in.ts';

/** What is said of a call whose agent ended in the middle of it. */
const unknownOutcome = 'The agent is gone: whether this was done, and what came of it, is not known.';

/** What a session is made of. */
export interface BridgedSessionOptions {
  readonly sessionId: string;
  readonly bridge: BridgeOptions;
  readonly pool: AgentPool;
  /** Called when its agent was ended to make room. */
  readonly onStopped: () => void;
  /** The defaults, where the application chose nothing. */
  readonly preferences: () => OptionPreferences;
  /** Called when a session of the agent is open: it may offer something new. */
  readonly onOpened: (handle: AgentConnection, session: AgentSession) => void;
}

/** A session of the agent's, open in its process. */
interface OpenSession {
  readonly process: AgentProcess;
  readonly session: AgentSession;
  /** Whether the agent knows what was said before. */
  isInformed: boolean;
}

/** A session of an application, with an agent of its own that is started when it is needed and may be ended in between. */
export class BridgedSession implements SlotUser {
  readonly sessionId: string;
  readonly #options: BridgedSessionOptions;
  readonly #agent: OnDemandAgent<AgentProcess>;
  readonly #listener: AgentListener;
  #open: OpenSession | undefined;
  /** The run that is going on. */
  #running: BridgedRun | undefined;
  /** The run that is going on, or went on last: what the agent changes of the session counts also later. */
  #lastRun: Run | undefined;
  #isSetting = false;
  /** What the agent is to be started with next. */
  #plan: LaunchPlan | undefined;

  constructor(options: BridgedSessionOptions) {
    this.#options = options;
    this.sessionId = options.sessionId;
    this.#agent = new OnDemandAgent<AgentProcess>({
      user: this,
      pool: options.pool,
      start: (signal) => this.#start(signal),
      isNeeded: () => false,
      onWait: (waitMs) => {
        if (this.#lastRun?.signal.aborted === true) this.#agent.abandonStart();
        else void this.#lastRun?.extension('notice', waitNotice(waitMs));
      },
    });
    this.#listener = {
      update: (view, { late, replay }) => {
        // A replayed history is known.
        if (replay) return undefined;
        return both(this.#noteChange(view), late ? undefined : this.#running?.take(view));
      },
      stores: ({ late, replay }) => this.#running !== undefined && !late && !replay,
      flush: () => this.#running?.flush(),
      permission: (request) => this.#running?.permission(request) ?? Promise.resolve({ kind: 'cancel' }),
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
    run.onPause((isPaused) => {
      if (!isPaused) this.#agent.resume();
      else if (this.#agent.run?.isOver === false && this.#agent.run.canContinue) this.#agent.pause();
    });
    const onAbort = (): void => {
      this.#agent.abandonStart();
    };
    run.signal.addEventListener('abort', onAbort, { once: true });
    try {
      run.signal.throwIfAborted();
      const plan = planLaunch(this.#options.bridge, run);
      this.#plan = plan;
      if (this.#agent.run !== undefined && !canGoOn(this.#agent.run, plan)) await this.#agent.end();
      run.signal.throwIfAborted();
      return await this.#agent.use((process) => {
        process.setTools(plan.tools);
        return this.#prompt(run, process).finally(() => {
          this.#agent.resume();
        });
      });
    } catch (error) {
      if (run.signal.aborted) return toRunEnd({ stopReason: 'cancelled' }, run.signal.reason);
      return toFailedEnd(error, new Redaction(secretsOf(this.#options.bridge, run.options)));
    } finally {
      run.signal.removeEventListener('abort', onAbort);
      if (this.#agent.run?.isOver === true) await this.#agent.end();
    }
  }

  /** Whether an agent runs for it. */
  get hasProcess(): boolean {
    return this.#agent.run !== undefined;
  }

  /** Whether there is nothing of it that the next run would not find elsewhere. */
  get isSpent(): boolean {
    return this.#agent.isGone;
  }

  /** Ends the agent; the next run starts it again. Never rejects. */
  async stop(): Promise<void> {
    if (this.#agent.isPaused) this.#running?.suspend();
    await this.#agent.end();
    if (this.isSpent) this.#options.onStopped();
  }

  /** The session is deleted: neither the agent nor its event log is to keep anything of it. */
  async forget(): Promise<void> {
    const process = this.#agent.run;
    if (process?.isOver === false && this.#open?.process === process) {
      await leaveSession(process.handle, this.#open.session);
    }
    await this.#agent.end();
    await this.#options.bridge.eventLogs?.remove(this.#options.sessionId);
  }

  async #start(signal: AbortSignal): Promise<AgentProcess> {
    const { bridge, sessionId } = this.#options;
    const run = this.#lastRun;
    if (run === undefined || this.#plan === undefined) throw new Error('no run has begun');
    run.signal.throwIfAborted();
    const process = await startAgentProcess(bridge, {
      plan: this.#plan,
      secrets: secretsOf(bridge, run.options),
      listener: this.#listener,
      signal,
      sessionId,
    });
    // An agent that ends by itself while no run needs it holds no place.
    void process.handle.exited.then(() => {
      if (this.#agent.run === process && this.#running === undefined) void this.stop();
    });
    return process;
  }

  async #prompt(run: Run, process: AgentProcess): Promise<RunEnd> {
    const bridged = new BridgedRun(run, {
      redaction: process.redaction,
      isApplicationCall: (call) => findTool(call, run.clientTools) !== undefined,
      onAnswer: () => this.#refresh(run, process),
    });
    this.#running = bridged;
    try {
      const result = await Promise.race([this.#promptAgent(run, process, bridged.signal), bridged.suspended]);
      bridged.throwIfFailed();
      await bridged.end('The agent sent no result of this call.');
      return toRunEnd(result, run.signal.reason);
    } catch (error) {
      // All calls that were sent have their results, and wait for the answer.
      if (bridged.isSuspended) throw error;
      await bridged.end(unknownOutcome).catch(() => {
        // The run is over: it has no receiver left.
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
    const { trace } = run;
    const result = await session.prompt(blocks, { signal, ...(trace !== undefined && { trace }) });
    open.isInformed ||= isKept(result);
    await this.#remember(run, open);
    return result;
  }

  /** The agent's session: the one that is open, the one it had before, or a new one. */
  async #openSession(run: Run, process: AgentProcess): Promise<OpenSession> {
    const { cwd } = planLaunch(this.#options.bridge, run);
    if (this.#open?.process === process) {
      if (this.#open.isInformed && this.#open.session.cwd === cwd) return this.#open;
      await this.#open.session.close();
    }
    this.#open = undefined;
    const { handle, toolServer } = process;
    const options = {
      cwd,
      mcpServers: toolServer === undefined ? [] : [toolServer],
      signal: run.signal,
    };
    const record = parseSessionRecord(run.state);
    const kept = record?.isInformed === true && record.cwd === cwd ? record.agentSession : undefined;
    const known = this.#options.bridge.spec.signIn;
    const variables = variablesOf(this.#options.bridge, process);
    const { session, by } = await signedIn(handle, variables, known, async () =>
      kept === undefined
        ? { session: await handle.openSession(options), by: 'new' as const }
        : recoverSession(handle, kept, options),
    );
    // A session without its history is not continued: the next run begins another.
    const open = { process, session, isInformed: by !== 'new' || run.history.length === 0 };
    this.#open = open;
    this.#options.onOpened(handle, session);
    await this.#remember(run, open);
    return open;
  }

  async #remember(run: Run, { session, isInformed }: OpenSession): Promise<void> {
    const { id: agentSession, cwd } = session;
    const known = parseSessionRecord(run.state);
    if (known?.agentSession === agentSession && known.cwd === cwd && known.isInformed === isInformed) return;
    await run.remember(nextRecord(known, { agentSession, cwd, isInformed }));
  }

  /**
   * An answer of the application may have come with other settings. The agent receives them before the
   * answer; it is not waited for, as it may do nothing else while it waits for that.
   */
  #refresh(run: Run, process: AgentProcess): void {
    if (this.#open === undefined || this.#isSetting || run.signal.aborted) return;
    process.setTools(run.clientTools);
    this.#applyOptions(run, this.#open.session).catch((error: unknown) => {
      // The answer counts all the same, and the next run tries again.
      const message = error instanceof Error ? error.message : String(error);
      this.#options.bridge.onEvent?.(
        {
          type: 'diagnostic',
          level: 'warning',
          code: 'handler-failed',
          message: `other settings: ${process.redaction.text(message)}`,
        },
        this.#options.sessionId,
      );
    });
  }

  async #applyOptions(run: Run, session: AgentSession): Promise<void> {
    this.#isSetting = true;
    try {
      await applyOptions(session, run.options, {
        ...this.#options.preferences(),
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
    if (!changesSettings(update)) return undefined;
    // While we set them, the agent reports what it was sent, and not yet all of it.
    if (this.#open === undefined || this.#isSetting) return undefined;
    const values = changedValues(update, settingsOf(this.#open.session));
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
      // The session is gone, or its store: all later events of it say so.
    }
  }
}

/** Whether an agent that runs does for what is wanted now. It only receives other tools if it could not be restarted. */
function canGoOn(process: AgentProcess, plan: LaunchPlan): boolean {
  return !process.isOver && willDo(process.plan, plan, { canChangeTools: !process.canContinue });
}

/** The notice for an application whose session has to wait for an agent process. */
function waitNotice(waitMs: number): Readonly<Record<string, string>> {
  return {
    severity: 'info',
    title: 'All agent processes are in use',
    description: `The turn goes on when one is free, and ends with an error if none is in ${String(waitMs / 1000)} s.`,
  };
}

/** Whether an agent keeps the text of a prompt. ACP v1, Prompt Turn: of one that it refuses it keeps nothing. */
function isKept({ stopReason }: PromptResult): boolean {
  return stopReason !== 'cancelled' && stopReason !== 'refusal';
}

/** What the agent's process has, as far as it says how to sign in. */
function variablesOf(
  { spec: { reach, env: own } }: BridgeOptions,
  { plan }: AgentProcess,
): Readonly<Record<string, string | undefined>> {
  return reach.by === 'command' ? { ...env, ...own, ...plan.env } : plan.env;
}
