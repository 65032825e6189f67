import type {
  AgentSignIn,
  SignInMethod,
  SignInVariable,
  TerminalSignIn,
  VariablesSignIn,
} from '@parley/host';
import { toHonestText } from '@parley/host/state';
import { toPlainLine } from '../output/plain.ts';
import type { Style } from '../output/style.ts';
import type { Terminal } from './terminal.ts';

/** The question when an agent wants the user to sign in. */
export interface SignInQuestion {
  readonly agentName: string;
  readonly methods: readonly SignInMethod[];
  /** The command line of a sign-in method of the kind `terminal`. */
  readonly commandLine: (args: readonly string[]) => string;
}

/** What the user decided to do, with the values that it needs. */
export type SignInChoice =
  | AgentSignIn
  | TerminalSignIn
  | ({ readonly kind: 'variables'; readonly id: string } & TypedVariables);

/** Variables as typed. */
export interface TypedVariables {
  readonly values: Readonly<Record<string, string>>;
  /** Those of the values that are secret. */
  readonly secrets: readonly string[];
}

type UsableMethod = Exclude<SignInMethod, { readonly kind: 'unknown' }>;

/** Lets the user choose a way to sign in; undefined when the user declines, or there is none. */
export async function askSignIn(
  question: SignInQuestion,
  { terminal, style }: { readonly terminal: Terminal; readonly style: Style },
  signal: AbortSignal,
): Promise<SignInChoice | undefined> {
  const methods = question.methods.filter((method) => method.kind !== 'unknown');
  await terminal.present(showMethods(question, methods, style), signal);
  if (methods.length === 0) return undefined;
  const method = await askMethod(methods, terminal, signal);
  if (method?.kind !== 'variables') return method;
  const typed = await askVariables(method, terminal, signal);
  return typed === undefined ? undefined : { kind: 'variables', id: method.id, ...typed };
}

function showMethods(question: SignInQuestion, methods: readonly UsableMethod[], style: Style): string {
  const head = style.bold(`${toPlainLine(question.agentName)} requires sign-in.`);
  if (methods.length === 0) return `${head} It offers no way to do that from here.\n`;
  const lines = methods.flatMap((method, index) => [
    `  ${String(index + 1)}  ${toPlainLine(method.name)}`,
    ...(method.description === undefined ? [] : [`     ${toPlainLine(method.description, 400)}`]),
    ...whatItDoes(method, question).map((line) => style.dim(`     ${line}`)),
  ]);
  return `${[head, ...lines].join('\n')}\n`;
}

function whatItDoes(method: UsableMethod, { commandLine }: SignInQuestion): string[] {
  switch (method.kind) {
    case 'agent':
      return [];
    case 'terminal':
      return [`runs here: ${toHonestText(commandLine(method.args))}`];
    case 'variables':
      return [
        `sets ${method.variables.map(({ name }) => name).join(', ')} for the agent, and is not stored`,
        ...(method.link === undefined ? [] : [`see ${toPlainLine(method.link, 2000)}`]),
      ];
  }
}

async function askMethod(
  methods: readonly UsableMethod[],
  terminal: Terminal,
  signal: AbortSignal,
): Promise<UsableMethod | undefined> {
  const numbers = methods.length === 1 ? '1' : `1-${String(methods.length)}`;
  for (;;) {
    const answer = (await terminal.ask(`Your answer [${numbers}; Enter: do not sign in]: `, signal))?.trim();
    if (answer === undefined || answer === '' || /^no?$/i.test(answer)) return undefined;
    const method = /^\d{1,3}$/.test(answer) ? methods[Number(answer) - 1] : undefined;
    if (method !== undefined) return method;
    terminal.show('Not one of the answers.\n');
  }
}

async function askVariables(
  { variables }: VariablesSignIn,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<TypedVariables | undefined> {
  const values: Record<string, string> = {};
  const secrets: string[] = [];
  for (const variable of variables) {
    const value = await askVariable(variable, terminal, signal);
    if (value === undefined || (value === '' && !variable.isOptional)) return undefined;
    if (value !== '') values[variable.name] = value;
    if (variable.isSecret) secrets.push(value);
  }
  return { values, secrets };
}

async function askVariable(
  { name, label, isSecret, isOptional }: SignInVariable,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<string | undefined> {
  const what = label === undefined ? name : `${toPlainLine(label)} (${name})`;
  const empty = isOptional ? 'Enter: skip' : 'Enter: do not sign in';
  const prompt = `${what} [${isSecret ? 'is not shown; ' : ''}${empty}]: `;
  const value = isSecret ? await terminal.askSecret(prompt, signal) : await terminal.ask(prompt, signal);
  return value?.trim();
}
