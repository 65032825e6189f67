import type { Run, RunEnd } from '@parley/aap/server';
import type { SessionUpdate } from '@parley/acp';
import {
  defaultSessionLimits,
  HostError,
  noNotes,
  redactElicitation,
  Redaction,
  redactPermission,
  Session,
  together,
  TypedVariables,
  type AgentConnection,
  type AgentRun,
  type AgentSession,
  type HostEvent,
  type PromptResult,
  type SessionRuntime,
  type WantedSession,
} from '@parley/host';
import { untilAborted } from '@parley/wire';
import { findTool } from '../client-tools/find-tool.ts';
import { ServedTools } from '../client-tools/served-tools.ts';
import type { BridgeOptions } from './bridge-options.ts';
import { BridgedRun, toSender } from './bridged-run.ts';
import { SubagentCalls } from './calls/subagent-calls.ts';
import { planLaunch, secretsOf, willDo, type LaunchPlan } from './launch-plan.ts';
import type { OptionPreferences } from './option-values.ts';
import { toMessage, toPrompt } from './prompt-blocks.ts';
import { toFailedEnd, toRunEnd } from './run-end.ts';
import { nextRecord, parseSessionRecord } from './session-record.ts';
import { SessionSettings } from './session-settings.ts';

/** The result of a call whose agent exited before it finished. */
const unknownOutcome = 'The agent has ended: whether this was done, and its result, are unknown.';

/** Time limit for closing and deleting a session. */
const leaveMs = 5000;

/** Options of {@link BridgedSession}. */
export interface BridgedSessionOptions {
  readonly sessionId: string;
  readonly bridge: BridgeOptions;
  readonly runtime: SessionRuntime;
  /** Called when it has no agent any more, and no run. */
  readonly onStopped: () => void;
  /** The defaults, where the application chose nothing. */
  readonly preferences: () => OptionPreferences;
  /** Called when a session of the agent is open: it may offer something new. */
  readonly onOpened: (agent: AgentConnection, session: AgentSession) => void;
}

/** The session as an agent was last started for it. */
interface Launched {
  readonly session: Session;
  readonly plan: LaunchPlan;
  readonly redaction: Redaction;
  readonly tools: ServedTools;
  /** Of the agent that runs: undefined before a run has prompted it. */
  opened?: { readonly run: AgentRun; isInformed: boolean };
}

/** A session of an application: a session of the host, which runs of the application prompt. */
export class BridgedSession {
  readonly #options: BridgedSessionOptions;
  #launched: Launched | undefined;
  #isLeft = false;
  /** Runs that have not ended: one, unless the agent is slow to end a cancelled one. */
  #runs = 0;
  /** The run whose prompt the agent is processing. */
  #running: BridgedRun | undefined;
  /** The current run, or the last one: the agent may still change settings after it. */
  #lastRun: Run | undefined;
  readonly #settings: SessionSettings;
  readonly #subagents = new SubagentCalls();

  constructor(options: BridgedSessionOptions) {
    this.#options = options;
    this.#settings = new SessionSettings(options.preferences);
  }

  /** Carries out a run: one prompt, however many turns of the application it takes. */
  async run(run: Run): Promise<RunEnd> {
    this.#lastRun = run;
    this.#runs += 1;
    run.onPause((isPaused) => {
      const session = this.#launched?.session;
      if (!isPaused) session?.turns.resume();
      else if (session?.run !== undefined && canContinue(session.run)) session.turns.pause();
    });
    try {
      run.signal.throwIfAborted();
      const launched = await this.#launchedFor(planLaunch(this.#options.bridge, run));
      run.signal.throwIfAborted();
      if (this.#isLeft) throw new HostError('closed', 'another process has the session');
      return await this.#prompt(run, launched);
    } catch (error) {
      if (run.signal.aborted) return toRunEnd({ stopReason: 'cancelled' }, run.signal.reason);
      return toFailedEnd(error, new Redaction(secretsOf(this.#options.bridge, run.options)));
    } finally {
      this.#runs -= 1;
    }
  }

  /** Whether an agent runs for it. */
  get hasProcess(): boolean {
    return this.#launched?.session.run !== undefined;
  }

  /** Whether this object has no state that the next run could not restore. */
  get isSpent(): boolean {
    return this.#launched?.session.isAtRest !== false;
  }

  /** Ends the agent; the next run starts it again. Never rejects. */
  async stop(): Promise<void> {
    await this.#launched?.session.stop();
  }

  /** It is another object from now on, here or elsewhere: ends the agent, and starts none. Never rejects. */
  async leave(): Promise<void> {
    this.#isLeft = true;
    await this.#launched?.session.leave();
  }

  /** The session was deleted: deletes it in the agent and in its event log. */
  async forget(): Promise<void> {
    const { bridge, sessionId } = this.#options;
    const session = this.#launched?.session;
    if (session !== undefined) {
      await untilAborted(session.forget(), AbortSignal.timeout(leaveMs)).catch(() => {
        // What the agent does not forget, it keeps.
      });
    }
    await this.stop();
    await bridge.eventLogs.remove(sessionId);
  }

  /** The session with an agent that fits the plan: the running one, or a new one. */
  async #launchedFor(plan: LaunchPlan): Promise<Launched> {
    const before = this.#launched;
    const run = before?.session.run;
    if (before !== undefined && run !== undefined) {
      const canChangeTools = !canContinue(run);
      const isInformed = before.opened?.run !== run || before.opened.isInformed;
      if (isInformed && willDo(before.plan, plan, { canChangeTools })) {
        before.tools.set(plan.tools);
        return before;
      }
      // A session without its history is not continued: the agent begins another.
      if (!isInformed) await run.leave();
    }
    await before?.session.stop();
    this.#launched = this.#plan(plan);
    return this.#launched;
  }

  #plan(plan: LaunchPlan): Launched {
    const { bridge, runtime, sessionId } = this.#options;
    const variables = new TypedVariables(secretsOf(bridge, this.#lastRun?.options ?? {}), { hides: false });
    variables.learn(plan.env);
    const { redaction } = variables;
    const now = Date.now();
    const { toolEndpoints } = bridge;
    const tools = new ServedTools(toolEndpoints, plan.tools, (call, gone) => {
      if (gone.aborted || this.#running === undefined) {
        return Promise.reject(new Error(`${call.name}: no turn of the session is running`));
      }
      return this.#running.callTool({ ...call, input: redaction.fields(call.input) });
    });
    const session = new Session({
      key: sessionId,
      agent: bridge.spec.name,
      spec: bridge.spec,
      cwd: plan.cwd,
      origin: 'aap',
      createdAt: now,
      updatedAt: now,
      notes: noNotes,
      runtime: { ...runtime, serves: { files: false, terminals: false, questions: plan.asks } },
      limits: defaultSessionLimits,
      variables,
      ...(toolEndpoints !== undefined && { toolSocket: () => toolEndpoints.openSocket() }),
      wanted: async (agent) => ({ ...this.#wanted(plan), mcpServers: await tools.serve(agent) }),
      interact: {
        permission: (request, { subagent }) =>
          this.#running?.permission(
            redactPermission(this.#subagents.toOwnRequest(request, subagent), redaction),
          ) ?? Promise.resolve({ kind: 'cancel' }),
        elicitation: (request) =>
          this.#running?.elicitation(redactElicitation(request, redaction)) ??
          Promise.resolve({ action: 'cancel' }),
      },
      // An application cannot be asked how to sign in.
      askSignIn: ({ failure }) => {
        if (failure !== undefined) throw new HostError('auth-required', `authenticate: ${failure}`);
        return Promise.resolve(undefined);
      },
      isLogged: (event) => this.#isLogged(event),
      onEvent: (event) => this.#take(event),
      onUnstored: ({ message }) => {
        this.#warn(message);
      },
      onSlotWait: (waitMs) => void this.#lastRun?.extension('notice', waitNotice(waitMs)),
      onSuspend: () => this.#running?.suspend(),
      onAgentEnd: () => {
        void tools.close();
        if (this.#runs === 0) this.#options.onStopped();
      },
    });
    return { session, plan, redaction, tools };
  }

  /** The agent's session: the one it had before, or a new one. */
  #wanted({ cwd }: LaunchPlan): WantedSession {
    const record = parseSessionRecord(this.#lastRun?.state);
    const isKnown = record?.isInformed === true && record.cwd === cwd;
    return { additionalDirectories: [], ...(isKnown && { sessionId: record.agentSession }) };
  }

  async #prompt(run: Run, launched: Launched): Promise<RunEnd> {
    const { session } = launched;
    const bridged = new BridgedRun(run, {
      isApplicationCall: (call) => findTool(call, run.clientTools) !== undefined,
      onAnswer: () => this.#refresh(run, launched),
    });
    this.#running = bridged;
    try {
      const result = await Promise.race([this.#send(run, launched, bridged.signal), bridged.suspended]);
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
      if (this.#running === bridged) this.#running = undefined;
      session.turns.resume();
    }
  }

  async #send(run: Run, launched: Launched, signal: AbortSignal): Promise<PromptResult> {
    const { turns } = launched.session;
    const { trace } = run;
    const { id, ended } = turns.send(toMessage(run.input), {
      id: run.turnId,
      isUnattended: false,
      from: toSender(run),
      ...(trace !== undefined && { trace }),
      prepare: async (agentRun) => {
        const { session, agent } = agentRun;
        const isInformed = await this.#begin(run, launched, agentRun);
        await this.#settings.apply(run, session);
        const unknown = isInformed ? [] : run.history;
        return toPrompt({ input: run.input, unknown }, agent.connection.capabilities.promptCapabilities);
      },
    });
    const isWaiting = (): boolean => turns.queue.prompts.some((prompt) => prompt.id === id);
    // The agent may not have ended the turn of a run that was cancelled.
    if (isWaiting()) turns.change({ kind: 'send-now', id });
    const cancel = (): void => {
      if (isWaiting()) turns.change({ kind: 'remove', id });
      else void turns.withdraw(id);
    };
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
    try {
      const result = await ended;
      const { opened } = launched;
      if (opened !== undefined && !opened.isInformed && isKept(result)) {
        opened.isInformed = true;
        await this.#remember(run, opened.run, true);
      }
      return result;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Starts a run with a running agent. Returns whether the agent knows the conversation so far. */
  async #begin(run: Run, launched: Launched, agentRun: AgentRun): Promise<boolean> {
    if (launched.opened?.run === agentRun) return launched.opened.isInformed;
    const isInformed = !agentRun.isNew || run.history.length === 0;
    launched.opened = { run: agentRun, isInformed };
    this.#options.onOpened(agentRun.agent.connection, agentRun.session);
    await this.#remember(run, agentRun, isInformed);
    return isInformed;
  }

  async #remember(run: Run, { session }: AgentRun, isInformed: boolean): Promise<void> {
    const { id: agentSession, cwd } = session;
    const known = parseSessionRecord(run.state);
    if (known?.agentSession === agentSession && known.cwd === cwd && known.isInformed === isInformed) return;
    await run.remember(nextRecord(known, { agentSession, cwd, isInformed }));
  }

  /**
   * Applies settings that came with the application's answer. They are sent before the answer, without waiting for
   * the response, because the agent may do nothing until it has the answer.
   */
  #refresh(run: Run, { session, redaction, tools }: Launched): void {
    if (session.run === undefined || this.#settings.isApplying || run.signal.aborted) return;
    tools.set(run.clientTools);
    this.#settings.apply(run, session.run.session).catch((error: unknown) => {
      // The answer counts all the same, and the next run tries again.
      const message = error instanceof Error ? error.message : String(error);
      this.#warn(`other settings: ${redaction.text(message)}`);
    });
  }

  /**
   * Whether to log an event. The application's turn stores its own text and thoughts; later events are logged after
   * them.
   */
  #isLogged(event: HostEvent): boolean {
    if (this.#running === undefined) return true;
    const isOwn = event.type === 'update' && event.subagent === undefined;
    if (isOwn && isText(event.view) && !event.late && !event.replay) return false;
    this.#running.flush();
    return true;
  }

  #take(event: HostEvent): void | Promise<void> {
    // A replayed history is known.
    if (event.type !== 'update' || event.replay) return undefined;
    const { view, late, subagent } = event;
    if (view.sessionUpdate === 'subagent_update') this.#subagents.note(view);
    if (subagent !== undefined) {
      // What a sub-agent says is no part of the answer; its tools are judged as the session's own.
      const call = late ? undefined : this.#subagents.toOwnUpdate(view, subagent);
      return call === undefined ? undefined : this.#running?.take(call);
    }
    // By far the most frequent, and no change of the session.
    if (isText(view)) return late ? undefined : this.#running?.take(view);
    // What the agent changes of the session counts also between two runs.
    const session = this.#launched?.opened?.run.session;
    const changed = this.#lastRun && this.#settings.note(view, this.#lastRun, session);
    return together(changed, late ? undefined : this.#running?.take(view));
  }

  #warn(message: string): void {
    const { bridge, sessionId } = this.#options;
    bridge.onEvent?.({ type: 'diagnostic', level: 'warning', code: 'handler-failed', message }, sessionId);
  }
}

/** Whether the agent can continue a session that it or an earlier process had. */
function canContinue({ agent: { connection } }: AgentRun): boolean {
  const { sessionCapabilities, loadSession } = connection.capabilities;
  return sessionCapabilities?.resume !== undefined || loadSession === true;
}

function isText(update: SessionUpdate): boolean {
  return (
    (update.sessionUpdate === 'agent_message_chunk' || update.sessionUpdate === 'agent_thought_chunk') &&
    update.content.type === 'text'
  );
}

/** The notice for an application whose session has to wait for an agent process. */
function waitNotice(waitMs: number): Readonly<Record<string, string>> {
  return {
    severity: 'info',
    title: 'All agent processes are in use',
    description: `The turn continues when a slot is free, and fails if none is free within ${String(waitMs / 1000)} s.`,
  };
}

/** Whether the agent stores the text of a prompt. ACP v1, Prompt Turn: a refused prompt is not part of the history. */
function isKept({ stopReason }: PromptResult): boolean {
  return stopReason !== 'cancelled' && stopReason !== 'refusal';
}
