import type { ContentBlock } from '@parley/acp';
import {
  describeWait,
  type AgentConnection,
  type CancelOptions,
  type EventStore,
  type HostEvent,
  type PromptResult,
  type AgentSession,
  type TurnLimits,
} from '@parley/host';
import { CliError } from '../cli-error.ts';
import { startAhead } from '../conversation/agent/start-ahead.ts';
import type { Ending } from '../conversation/ending.ts';
import { prepareConversation, type PreparedConversation } from '../conversation/prepare-conversation.ts';
import { recordProcesses } from '../conversation/record-processes.ts';
import { withoutAnswer } from '../conversation/without-answer.ts';
import type { Output } from '../output/output.ts';
import { createStyle } from '../output/style.ts';
import type { TerminalUser } from '../question/terminal-user.ts';
import type { Surroundings } from '../surroundings.ts';
import { openWanted } from '../worktrees/open-wanted.ts';
import type { OpenSessionWorktree } from '../worktrees/session-worktree.ts';
import type { EventSink } from './event-sink.ts';
import type { RunFlags } from './flags.ts';
import { leftOf, startDeadline, startSilenceWatch, toTimeout } from './limits.ts';
import { readImage, readPrompt } from './prompt.ts';
import type { SilenceWatch } from './silence.ts';
import { subagentsEnded } from './subagents-ended.ts';

/** What a turn needs of the run it is part of. */
export interface TurnOptions {
  readonly surroundings: Surroundings;
  readonly ending: Ending;
  readonly output: Output;
  readonly sink: EventSink;
  /** Called with what stores the events, before there is one. */
  readonly onStore: (store: EventStore) => void;
  /** Called when the agent is there. */
  readonly onAgent: (agent: Pick<AgentConnection, 'stderrTail'>) => void;
  /** Called before the session is opened, with what it is opened from. */
  readonly onPrepared?: (prepared: PreparedConversation) => Promise<void>;
  /** The worktree of the session, which stays open. @default the one that the flags want */
  readonly place?: OpenSessionWorktree;
}

/** Opens the agent and the session that the flags ask for, and runs one turn. The agent has ended when it settles. */
export async function takeTurn(flags: RunFlags, options: TurnOptions): Promise<PromptResult> {
  const { surroundings, ending, output, sink } = options;
  const signal = ending.begun;
  using deadline = startDeadline(flags, surroundings, ending);
  const warn = (code: string, message: string): void => {
    void output.event({ type: 'diagnostic', level: 'warning', code, message });
  };
  await using opened =
    options.place === undefined ? await openWanted(flags, { surroundings, warn, signal }) : undefined;
  const place = options.place ?? opened;
  const prepared = await prepareConversation(flags, surroundings, {
    warn,
    signal,
    ...(place !== undefined && { place }),
  });
  await options.onPrepared?.(prepared);
  const blocks = await readBlocks(flags, surroundings, signal);
  signal.throwIfAborted();

  using silence = startSilenceWatch(flags, ending);
  let agentName = prepared.spec.name;
  await recordProcesses(surroundings.env, warn);
  await using ahead = await startAhead(prepared);
  const interact = await findUser(flags, options, silence, () => agentName);
  const { openCommandSessions } = await import('../conversation/command-sessions.ts');
  const opening = { ...prepared, spec: ahead.spec };
  await using sessions = await openCommandSessions(opening, {
    signal,
    warn,
    onStore: options.onStore,
    ...(interact !== undefined && { interact }),
    ...(silence !== undefined && {
      observe: ({ direction }) => {
        if (direction === 'in') silence.heard();
      },
    }),
    onEvent: (event) => takeEvent(event, flags, options, silence),
    onAgent: (agent, name) => {
      agentName = name;
      options.onAgent({ stderrTail: () => prepared.variables.redaction.text(agent.stderrTail()) });
      const { info, protocolVersion, capabilities } = agent;
      sink.introduce({
        agent: { name: info?.name ?? prepared.spec.name, version: info?.version ?? '0.0.0' },
        protocolVersion,
      });
      if (flags.images.length > 0 && capabilities.promptCapabilities?.image !== true) {
        throw new CliError('not-offered', `--image: ${name} does not accept images`);
      }
    },
  });
  const session = await sessions.openSession(flags.session);
  place?.keep();
  signal.throwIfAborted();
  // From here on the host watches both limits, as it knows what the turn waits for.
  deadline?.[Symbol.dispose]();
  const resumeSilence = silence?.pause();
  const result = await promptUntilEnded(session, blocks, {
    ending,
    limits: toTurnLimits(flags, surroundings),
  });
  await subagentsEnded(session, flags, { surroundings, ending, resumeSilence });
  // From here on only the agent is being ended: a limit that passes meanwhile has nothing to say about the turn.
  ending.decide();
  output.turnEnded?.();
  return result;
}

function toTurnLimits({ timeoutMs, idleTimeoutMs }: RunFlags, surroundings: Surroundings): TurnLimits {
  return {
    ...(timeoutMs !== undefined && { timeoutMs: leftOf(timeoutMs, surroundings) }),
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
  };
}

/** The prompt as it is sent: the words, then the pictures. */
async function readBlocks(
  flags: RunFlags,
  { stdin, stderr }: Surroundings,
  signal: AbortSignal,
): Promise<ContentBlock[]> {
  if (flags.prompt.kind === 'standard-input' && stdin.isTTY === true) {
    stderr.write('parley: type the prompt; Ctrl-D ends it\n');
  }
  const text = await readPrompt(flags.prompt, stdin, signal);
  const images: ContentBlock[] = [];
  for (const file of flags.images) images.push(await readImage(file, signal));
  return [{ type: 'text', text }, ...images];
}

/** A user is there when questions can be shown on a terminal and answered on one. */
async function findUser(
  flags: RunFlags,
  { surroundings, output }: TurnOptions,
  silence: SilenceWatch | undefined,
  agentName: () => string,
): Promise<TerminalUser | undefined> {
  const { stdin, stderr, env } = surroundings;
  if (stdin.isTTY !== true || stderr.isTTY !== true || flags.prompt.kind === 'standard-input') {
    return undefined;
  }
  const [{ createTerminalUser }, { createTerminal }] = await Promise.all([
    import('../question/terminal-user.ts'),
    import('../question/terminal.ts'),
  ]);
  return createTerminalUser({
    terminal: createTerminal(stdin, stderr),
    style: createStyle(true, env),
    agentName,
    makeRoom: () => output.makeRoom(),
    onQuestion: () => silence?.pause() ?? (() => undefined),
  });
}

function takeEvent(
  happened: HostEvent,
  flags: RunFlags,
  { sink, ending }: TurnOptions,
  silence: SilenceWatch | undefined,
): Promise<void> | undefined {
  const { onAsk } = flags;
  const event = onAsk === 'fail' ? withoutAnswer(happened) : happened;
  const shown = sink.take(event);
  if (onAsk === 'fail' && sink.wasUnanswered) {
    const what = sink.wasOnlyAsked ? 'the agent asked a question' : 'approval was needed';
    ending.begin(new CliError('unanswered', `${what}, but input is not interactive (--on-ask fail)`));
  }
  if (event.type === 'turn-timeout') {
    ending.begin(toTimeout(flags, event.limit, describeWait(event.waitsFor)));
  }
  // While our own reader is behind, the agent waits for us: that is not its silence.
  if (shown !== undefined && silence !== undefined) return shown.finally(silence.pause());
  return shown;
}

/** Runs the turn, and sends it down the ladder when the run is to end: cancel, grace, end of the agent. */
async function promptUntilEnded(
  session: AgentSession,
  blocks: readonly ContentBlock[],
  { ending, limits }: { readonly ending: Ending; readonly limits: TurnLimits },
): Promise<PromptResult> {
  const step = (options?: CancelOptions) => () => {
    // How the turn ends, the prompt says.
    session.cancel({ ...options, ...ending.cancelOptions }).catch(() => undefined);
  };
  const cancel = step();
  const hurry = step({ graceMs: 0 });
  ending.begun.addEventListener('abort', cancel);
  ending.hurried.addEventListener('abort', hurry);
  try {
    return await session.prompt(blocks, limits);
  } finally {
    ending.begun.removeEventListener('abort', cancel);
    ending.hurried.removeEventListener('abort', hurry);
  }
}
