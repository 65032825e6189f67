import { setTimeout as delay } from 'node:timers/promises';
import type { CancelOptions, PromptResult } from '@parley/host';
import { hubMethods } from '@parley/host/hub';
import { runningTurn } from '@parley/host/state';
import { CliError } from '../cli-error.ts';
import { withoutAnswer } from '../conversation/without-answer.ts';
import { createStyle } from '../output/style.ts';
import { createTerminalUser, type TerminalUser } from '../question/terminal-user.ts';
import { createTerminal } from '../question/terminal.ts';
import { parseFormat } from '../run/flags.ts';
import { startDeadline } from '../run/limits.ts';
import { runToEnd, type RunContext } from '../run/run-to-end.ts';
import type { Surroundings } from '../surroundings.ts';
import { AttachedQuestions } from './attached-questions.ts';
import { agentNameOf, type AttachedSession } from './attached-session.ts';
import { parseAttachFlags, type AttachFlags, type TypedAttachFlags } from './flags.ts';
import { LinePrinter } from './line-printer.ts';
import { openWanted } from './open-wanted.ts';
import { reachHub } from './reach-hub.ts';
import { startSessionSilence } from './session-silence.ts';

/** `parley attach`: a session of the hub. Gives the exit status. */
export async function attach(
  wanted: string | undefined,
  typed: TypedAttachFlags,
  surroundings: Surroundings,
): Promise<number> {
  const format = parseFormat(typed.format);
  if (typed.prompt === undefined && format !== 'json') {
    const { talkAttached } = await import('./talk-attached.ts');
    return talkAttached(parseAttachFlags(wanted, typed, surroundings.cwd), surroundings);
  }
  const printer = new LinePrinter(format);
  let asked = 'initialize';
  const words = {
    refusal: () => `the hub answered ${asked}`,
    howToAnswer: 'connect a client that may answer, such as the web interface',
  };
  const { numbering } = printer;
  return runToEnd({ format, surroundings, numbering, words }, async (context) => {
    const flags = parseAttachFlags(wanted, typed, surroundings.cwd);
    const place: PrintPlace = {
      flags,
      surroundings,
      printer,
      context,
      onAsk: (method) => {
        asked = method;
      },
    };
    return flags.prompt === undefined ? follow(place) : promptOnce(flags.prompt, place);
  });
}

/** Where a session is printed. */
interface PrintPlace {
  readonly flags: AttachFlags;
  readonly surroundings: Surroundings;
  readonly printer: LinePrinter;
  readonly context: RunContext;
  /** Called before something is asked that the hub may refuse, with its method. */
  readonly onAsk: (method: string) => void;
}

/** Prints the events of a session until it is closed. */
async function follow({ flags, surroundings, printer, context, onAsk }: PrintPlace): Promise<undefined> {
  const { ending } = context;
  using _deadline = startDeadline(flags, surroundings, ending);
  using silence = startSessionSilence(flags, ending);
  printer.follow(context, flags.from);
  await using session = await reachHub(flags, surroundings, ending, false, {
    event: (event, facts, before) => {
      silence?.heard();
      return printer.take(event, facts, before);
    },
    onAsking: (isAsking) => silence?.onAsking(isAsking),
  });
  const followed = async (): Promise<void> => {
    onAsk('session/new');
    const key = await openWanted(session, flags, surroundings);
    printer.key = key;
    onAsk(hubMethods.watch);
    await session.attach(key);
    await printer.begin(session.facts);
    await session.closed();
  };
  await Promise.race([followed(), ending.whenBegun]);
  return undefined;
}

/** Sends one prompt, and prints its turn. */
async function promptOnce(text: string, place: PrintPlace): Promise<PromptResult> {
  const { flags, surroundings, printer, context, onAsk } = place;
  const { ending, output } = context;
  const { stdin, stderr } = surroundings;
  using _deadline = startDeadline(flags, surroundings, ending);
  using silence = startSessionSilence(flags, ending);
  const hasUser = stdin.isTTY === true && stderr.isTTY === true;
  let questions: AttachedQuestions | undefined;
  await using session = await reachHub(flags, surroundings, ending, hasUser, {
    event: (event, facts, before) => {
      silence?.heard();
      const isEnding = flags.onAsk === 'fail' && printer.isOwn(facts);
      const shown = printer.take(isEnding ? withoutAnswer(event) : event, facts, before);
      if (isEnding && runningTurn(facts)?.wasUnanswered === true) {
        ending.begin(
          new CliError('unanswered', 'approval was needed, but input is not interactive (--on-ask fail)'),
        );
      }
      return shown;
    },
    onChanges: (settled) => {
      questions?.look(settled);
    },
    onAsking: (isAsking) => silence?.onAsking(isAsking),
  });
  onAsk('session/new');
  const key = await Promise.race([openWanted(session, flags, surroundings), untilAborted(ending.begun)]);
  printer.key = key;
  onAsk(hubMethods.watch);
  await Promise.race([session.attach(key), untilAborted(ending.begun)]);
  await printer.begin(session.facts, context);
  if (hasUser) {
    const user = userAt(surroundings, session, () => output.makeRoom());
    questions = new AttachedQuestions({ session, user });
    questions.look([]);
  }
  const cancel = (options?: CancelOptions) => (): void => {
    // How the turn ends, its events say.
    session.cancel({ ...ending.cancelOptions, ...options }).catch(() => undefined);
  };
  ending.begun.addEventListener('abort', cancel());
  ending.hurried.addEventListener('abort', cancel({ graceMs: 0 }));
  onAsk('session/prompt');
  const id = await printer.nameOwnPrompt();
  const result = await Promise.race([
    session.prompt([{ type: 'text', text }], {
      id,
      isUnattended: !hasUser,
      ...(flags.onAsk !== undefined && { onAsk: flags.onAsk }),
    }),
    afterEnding(ending.begun, ending.hurried),
  ]);
  ending.decide();
  return result;
}

/** How long leaving waits for a hub that does not end a turn. */
async function afterEnding(begun: AbortSignal, hurried: AbortSignal): Promise<never> {
  await untilAborted(begun).catch(() => undefined);
  await Promise.race([delay(endMs, undefined, { ref: false }), untilAborted(hurried).catch(() => undefined)]);
  throw new CliError('hub-lost', 'the hub did not end the turn in time');
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => {
      reject(new CliError('interrupted', 'interrupted'));
    };
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** How long a hub may take to end a turn. */
const endMs = 10_000;

/** The user at this terminal. */
function userAt(
  { stdin, stderr, env }: Surroundings,
  session: AttachedSession,
  makeRoom: () => Promise<void>,
): TerminalUser {
  return createTerminalUser({
    terminal: createTerminal(stdin, stderr),
    style: createStyle(true, env),
    agentName: () => agentNameOf(session.facts),
    makeRoom,
    onQuestion: () => () => undefined,
  });
}
