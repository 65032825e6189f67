import type {
  CreateElicitationRequest,
  CreateElicitationResponse,
  ElicitationContentValue,
  ElicitationPropertySchema,
  ElicitationSchema,
  RequestPermissionRequest,
} from '@parley/acp';
import type { Interact, PermissionAnswer, PermissionInteractOptions, SubagentName } from '@parley/host';
import { isSecretField, toHonestText, toPermissionChoices, type LastingChoices } from '@parley/host/state';
import { toPlainLine } from '../output/plain.ts';
import type { Style } from '../output/style.ts';
import { showAddress } from './address.ts';
import { choicesOf, defaultOf, isFreeText, parseField, type FieldReply } from './form.ts';
import { lastingAnswerOf, lastingPrompt, showLasting } from './lasting-answer.ts';
import {
  onceOptions,
  parsePermissionReply,
  permissionPrompt,
  showPermission,
  type PermissionQuestion,
} from './permission-question.ts';
import type { Screen } from './rows.ts';
import { askSignIn, type SignInChoice, type SignInQuestion } from './sign-in-question.ts';
import type { Terminal, TerminalCommand } from './terminal.ts';

/** Where the user is asked, and on whose behalf. */
export interface TerminalUserOptions {
  readonly terminal: Terminal;
  readonly style: Style;
  /** Who asks, as the user knows it. */
  readonly agentName: () => string;
  /** Called before something is shown; what is written elsewhere on the same screen is finished there. */
  readonly makeRoom: () => Promise<void>;
  /** Called when a question opens; what it returns is called when it is answered. */
  readonly onQuestion: () => () => void;
  /** The agent accepts feedback with a rejection. @default it does not */
  readonly takesReason?: () => boolean;
  /** Takes feedback that the agent does not accept with the rejection. @default such agents get none */
  readonly onFeedback?: (feedback: string) => void;
}

/** How long a question waits for the user. */
export interface AskOptions {
  readonly signal: AbortSignal;
  /** The sub-agent that asks. @default the session's agent itself */
  readonly subagent?: SubagentName;
}

/** What is known of a permission request. */
type Asking = AskOptions &
  Pick<PermissionInteractOptions, 'action' | 'remember'> & {
    /** @default as the options of the user say */
    readonly takesReason?: boolean;
  };

/** A user at a terminal, who can also sign in. */
export interface TerminalUser extends Required<Interact> {
  permission(request: RequestPermissionRequest, options: Asking): Promise<PermissionAnswer>;
  elicitation(request: CreateElicitationRequest, options: AskOptions): Promise<CreateElicitationResponse>;
  /** Lets them choose how; undefined when they do not want to. */
  signIn(question: SignInQuestion, options: AskOptions): Promise<SignInChoice | undefined>;
  /** Gives them a command to talk with. Settles with whether it ended with status 0. */
  run(command: TerminalCommand, options: AskOptions): Promise<boolean>;
  /** They do something elsewhere, in a browser: their time, and not the agent's. Call what it gives back when it is done. */
  wait(): () => void;
  /** Shows a line. */
  showLine(line: string): void;
}

/** The user at a terminal. One question is shown at a time, in the order they came. */
export function createTerminalUser(options: TerminalUserOptions): TerminalUser {
  let last: Promise<unknown> = Promise.resolve();
  let open = 0;

  /** @param ask Receives how many more wait behind it. */
  function inTurn<Answer>(ask: (waiting: number) => Promise<Answer>): Promise<Answer> {
    const settled = options.onQuestion();
    open += 1;
    const answer = last
      .then(() => options.makeRoom())
      .then(() => ask(open - 1))
      .finally(() => {
        open -= 1;
        settled();
      });
    last = answer.catch(() => undefined);
    return answer;
  }

  return {
    permission: (request, asking) =>
      inTurn((waiting) =>
        askPermission(request, forSubagent(options, asking.subagent), { ...asking, waiting }),
      ),
    elicitation: (request, { signal, subagent }) =>
      inTurn(() => askForm(request, forSubagent(options, subagent), signal)),
    signIn: (question, { signal }) => inTurn(() => askSignIn(question, options, signal)),
    run: (command, { signal }) => inTurn(() => options.terminal.run(command, signal)),
    wait: () => options.onQuestion(),
    showLine: (line) => {
      options.terminal.show(`${toPlainLine(line, 1000)}\n`);
    },
  };
}

/** The question names the sub-agent that asks it. */
function forSubagent(options: TerminalUserOptions, subagent: SubagentName | undefined): TerminalUserOptions {
  if (subagent === undefined) return options;
  const { title = subagent.sessionId } = subagent;
  return {
    ...options,
    agentName: () => `${options.agentName()}, sub-agent ${JSON.stringify(toPlainLine(title))},`,
  };
}

async function askPermission(
  { options }: RequestPermissionRequest,
  { terminal, style, agentName, onFeedback, ...user }: TerminalUserOptions,
  {
    signal,
    action,
    remember,
    takesReason = user.takesReason?.() === true,
    waiting,
  }: Asking & { readonly waiting: number },
): Promise<PermissionAnswer> {
  if (signal.aborted) return { kind: 'cancel' };
  const choices = toPermissionChoices(options, {
    kind: action.kind,
    ...(remember !== undefined && { remember }),
  });
  const question: PermissionQuestion = {
    action,
    choices,
    takesFeedback: takesReason || onFeedback !== undefined,
    agentName: agentName(),
    screen: toScreen(terminal, style),
    waiting,
  };
  const { text, isCut } = showPermission(question);
  const prompt = permissionPrompt(question, isCut);
  const isAnswer = (key: string): boolean => parsePermissionReply(key, question).kind !== 'unclear';
  // One key is enough, as long as each option has one.
  const hasKeys = onceOptions(choices).length <= 9;
  await terminal.present(text, signal);
  for (;;) {
    const line = await (hasKeys ? terminal.askKey(prompt, isAnswer, signal) : terminal.ask(prompt, signal));
    const reply = parsePermissionReply(line, question);
    switch (reply.kind) {
      case 'option':
      case 'remember':
      case 'cancel':
        return reply;
      case 'always': {
        const answer =
          choices.always && (await askLasting(choices.always, question.screen, terminal, signal));
        if (answer !== undefined) return answer;
        break;
      }
      case 'feedback': {
        const reason = await terminal.ask('Feedback for the agent [Enter: back]: ', signal);
        if (reason === undefined) return { kind: 'cancel' };
        if (reason.trim() === '' || choices.reject === undefined) break;
        if (!takesReason) onFeedback?.(reason);
        return { kind: 'option', optionId: choices.reject.optionId, reason };
      }
      case 'whole':
        await terminal.present(showPermission(question, 'whole').text, signal);
        break;
      case 'unclear':
        // What was typed or pasted at once is discarded as a whole.
        await terminal.present('Not one of the answers.\n', signal);
        break;
    }
  }
}

/** An answer that lasts is chosen by its number and Enter; undefined to go back. */
async function askLasting(
  choices: LastingChoices,
  screen: Screen,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<PermissionAnswer | undefined> {
  await terminal.present(showLasting(choices, screen), signal);
  for (;;) {
    const line = await terminal.ask(lastingPrompt(choices), signal);
    if (line === undefined) return { kind: 'cancel' };
    if (line.trim() === '') return undefined;
    const answer = lastingAnswerOf(line, choices);
    if (answer !== undefined) return answer;
    terminal.show('Not one of the answers.\n');
  }
}

function toScreen({ columns }: Terminal, style: Style): Screen {
  return { columns, style };
}

async function askForm(
  request: CreateElicitationRequest,
  options: TerminalUserOptions,
  signal: AbortSignal,
): Promise<CreateElicitationResponse> {
  const { terminal, style, agentName } = options;
  if (signal.aborted) return { action: 'cancel' };
  const head = `${style.bold(`${agentName()} asks:`)} ${toHonestText(request.message)}\n`;
  switch (request.mode) {
    case 'form':
      await terminal.present(head, signal);
      return fillForm(request.message, request.requestedSchema, options, signal);
    case 'url':
      await terminal.present(`${head}${showAddress(request.url, toScreen(terminal, style))}`, signal);
      return confirmAddress(await terminal.ask('Did you open it? [y/N]: ', signal));
    case 'unknown':
      return { action: 'cancel' };
  }
}

async function fillForm(
  message: string,
  { properties = {}, required = [] }: ElicitationSchema,
  { terminal }: TerminalUserOptions,
  signal: AbortSignal,
): Promise<CreateElicitationResponse> {
  const names = Object.keys(properties);
  const [chosen, words] = Object.entries(properties);
  if (names.length === 2 && required.length === 0 && chosen !== undefined && words !== undefined) {
    if (choicesOf(chosen[1]) !== undefined && isFreeText(words[1])) {
      return askChoice(chosen, words[0], terminal, signal);
    }
  }
  for (;;) {
    const content = new Map<string, ElicitationContentValue>();
    for (const [name, property] of Object.entries(properties)) {
      const isRequired = required.includes(name);
      const reply = await askField(
        terminal,
        {
          description: describeField(name, property, isRequired, names.length),
          property,
          isRequired,
          isSecret: choicesOf(property) === undefined && isSecretField({ message, name, property }),
        },
        signal,
      );
      if (reply.kind === 'value') content.set(name, reply.value);
      else if (reply.kind !== 'empty') return { action: reply.kind };
    }
    // A single line was reviewed while it was typed.
    if (names.length === 1) return { action: 'accept', content: Object.fromEntries(content) };
    const answer = await terminal.ask('Send these answers? [Enter: yes, e: edit, n: no]: ', signal);
    if (answer === undefined) return { action: 'cancel' };
    if (/^\s*n/i.test(answer)) return { action: 'decline' };
    if (!/^\s*e/i.test(answer)) return { action: 'accept', content: Object.fromEntries(content) };
  }
}

/** A choice with a field beside it for other words is one question: what is none of the choices is the other words. */
async function askChoice(
  [name, property]: readonly [string, ElicitationPropertySchema],
  otherName: string,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<CreateElicitationResponse> {
  terminal.show(`${describeField(name, property, false, 1)}Or type another answer.\n`);
  for (;;) {
    const line = await terminal.ask('> ', signal);
    if (line === undefined) return { action: 'cancel' };
    const reply = parseField(property, line);
    if (reply.kind === 'empty') return { action: 'accept', content: {} };
    if (reply.kind === 'value') return { action: 'accept', content: { [name]: reply.value } };
    // A number that is not in the list is a slip.
    if (!/^[\d\s,]+$/.test(line)) return { action: 'accept', content: { [otherName]: line.trim() } };
    terminal.show(`${reply.why}\n`);
  }
}

interface Field {
  readonly description: string;
  readonly property: ElicitationPropertySchema;
  readonly isRequired: boolean;
  /** What is typed is not shown. */
  readonly isSecret: boolean;
}

async function askField(
  terminal: Terminal,
  { description, property, isRequired, isSecret }: Field,
  signal: AbortSignal,
): Promise<Exclude<FieldReply, { readonly kind: 'wrong' }> | { readonly kind: 'cancel' | 'decline' }> {
  terminal.show(description);
  for (;;) {
    const line = await (isSecret ? terminal.askSecret('> ', signal) : terminal.ask('> ', signal));
    if (line === undefined) return { kind: 'cancel' };
    const reply = parseField(property, line);
    if (reply.kind !== 'wrong') return reply.kind === 'empty' && isRequired ? { kind: 'decline' } : reply;
    terminal.show(`${reply.why}\n`);
  }
}

function describeField(
  name: string,
  property: ElicitationPropertySchema,
  isRequired: boolean,
  fields: number,
): string {
  const title = property.type === 'unknown' ? name : (property.title ?? name);
  const description = property.type === 'unknown' ? undefined : property.description;
  const value = defaultOf(property);
  const empty =
    value !== undefined
      ? `Enter: ${toPlainLine(String(value))}`
      : isRequired
        ? 'Enter: decline'
        : 'Enter: leave empty';
  const choices = (choicesOf(property) ?? []).map(({ label }, index) => `  ${String(index + 1)}  ${label}\n`);
  // The one question of the usual form was just asked: its technical name says nothing more.
  const label =
    fields === 1 && description === undefined && property.type === 'string'
      ? ''
      : `${toPlainLine(title)}${description === undefined ? '' : `: ${toPlainLine(description)}`} `;
  return `${label}[${howToAnswer(property)}${empty}]\n${choices.join('')}`;
}

/** What is typed for a field that is neither words nor one choice. */
function howToAnswer({ type }: ElicitationPropertySchema): string {
  switch (type) {
    case 'array':
      return 'numbers, separated by commas; ';
    case 'boolean':
      return 'y or n; ';
    case 'string':
    case 'number':
    case 'integer':
    case 'unknown':
      return '';
  }
}

function confirmAddress(answer: string | undefined): CreateElicitationResponse {
  if (answer === undefined) return { action: 'cancel' };
  return { action: /^\s*(?:y|yes)\s*$/i.test(answer) ? 'accept' : 'decline' };
}
