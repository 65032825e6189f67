import type { AuthMethod } from '@parley/acp';
import type { SignIn } from '../catalogue/catalogue-entry.ts';

/** A method to sign in to an agent, by what the client has to do. */
export type SignInMethod = AgentSignIn | TerminalSignIn | VariablesSignIn | UnknownSignIn;

/** The common fields of all {@link SignInMethod}s. */
export interface SignInBase {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
}

/** The agent handles it: call `authenticate` of its connection. */
export interface AgentSignIn extends SignInBase {
  readonly kind: 'agent';
}

/**
 * The agent's command runs in the user's terminal with these additional arguments; afterwards the agent is restarted.
 */
export interface TerminalSignIn extends SignInBase {
  readonly kind: 'terminal';
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The agent is restarted with these variables. */
export interface VariablesSignIn extends SignInBase {
  readonly kind: 'variables';
  readonly variables: readonly SignInVariable[];
  /** Where to get their values. */
  readonly link?: string;
}

/** A variable that an agent requires. */
export interface SignInVariable {
  readonly name: string;
  readonly label?: string;
  readonly isSecret: boolean;
  readonly isOptional: boolean;
}

/** A method that this program does not know. */
export interface UnknownSignIn extends SignInBase {
  readonly kind: 'unknown';
}

/**
 * Returns the sign-in methods of an agent. If it offers methods without variables, but the catalogue knows a variable
 * that replaces the sign-in, such as an API key, a method for that variable is added.
 *
 * @param known Facts about the agent in addition to its own report.
 */
export function toSignInMethods(methods: readonly AuthMethod[], known?: SignIn): SignInMethod[] {
  const offered = methods.map((method) => withKey(toSignInMethod(method), known));
  const [name] = known?.variables ?? [];
  if (name === undefined || offered.length === 0 || offered.some(({ kind }) => kind === 'variables')) {
    return offered;
  }
  const variables = [{ name, isSecret: true, isOptional: false }];
  return [...offered, { kind: 'variables', id: `parley/${name}`, name, variables }];
}

/**
 * Adds the variable to a method that is named like a key, such as `gemini-api-key`, or that the catalogue names:
 * agents never ask for that key.
 */
function withKey(method: SignInMethod, known: SignIn | undefined): SignInMethod {
  if (method.kind !== 'agent') return method;
  const [variable] = known?.variables ?? [];
  const name =
    method.id === known?.method && variable !== undefined
      ? variable
      : /^[a-z][a-z\d]*(?:-[a-z\d]+)*-api-key$/u.test(method.id)
        ? variableNamed(method.id)
        : undefined;
  if (name === undefined) return method;
  return { ...method, kind: 'variables', variables: [{ name, isSecret: true, isOptional: false }] };
}

/** The variable that a way to sign in is called like. */
export function variableNamed(methodId: string): string {
  return methodId.toUpperCase().replaceAll('-', '_');
}

function toSignInMethod(method: AuthMethod): SignInMethod {
  const { id, name, description } = method;
  const base = { id, name, ...(description !== undefined && { description }) };
  if (method.type === 'terminal') {
    return { ...base, kind: 'terminal', args: method.args ?? [], env: method.env ?? {} };
  }
  const type = field(method, 'type');
  if (type === undefined || type === 'agent') return { ...base, kind: 'agent' };
  const variables = type === 'env_var' ? toVariables(method) : [];
  if (variables.length === 0) return { ...base, kind: 'unknown' };
  const link = field(method, 'link');
  return { ...base, kind: 'variables', variables, ...(typeof link === 'string' && { link }) };
}

/**
 * Reads the variables of a method. Agents still send two forms from an earlier draft of the protocol: `vars: [{name,
 * …}]` and `varName`.
 */
function toVariables(method: object): SignInVariable[] {
  const single = field(method, 'varName');
  const vars = field(method, 'vars');
  const list: readonly unknown[] = Array.isArray(vars) ? vars : [{ name: single }];
  return list.flatMap((item) => {
    const name = field(item, 'name');
    // What is no name of a variable is nothing that a process could be started with.
    if (typeof name !== 'string' || !/^[A-Za-z_]\w*$/.test(name)) return [];
    const label = field(item, 'label');
    return [
      {
        name,
        ...(typeof label === 'string' && { label }),
        isSecret: field(item, 'secret') !== false,
        isOptional: field(item, 'optional') === true,
      },
    ];
  });
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
