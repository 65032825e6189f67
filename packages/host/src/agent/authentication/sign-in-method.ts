import type { AuthMethod } from '@parley/acp';

/** A way to sign in to an agent, by what has to be done for it. */
export type SignInMethod = AgentSignIn | TerminalSignIn | VariablesSignIn | UnknownSignIn;

/** What each {@link SignInMethod} has. */
export interface SignInBase {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
}

/** The agent sees to it: `authenticate` of its connection. */
export interface AgentSignIn extends SignInBase {
  readonly kind: 'agent';
}

/** The agent's own command is run in the user's terminal with these appended, and then the agent is started again. */
export interface TerminalSignIn extends SignInBase {
  readonly kind: 'terminal';
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** The agent is started again with these variables set. */
export interface VariablesSignIn extends SignInBase {
  readonly kind: 'variables';
  readonly variables: readonly SignInVariable[];
  /** Where to get what they want. */
  readonly link?: string;
}

/** A variable that an agent wants. */
export interface SignInVariable {
  readonly name: string;
  readonly label?: string;
  readonly isSecret: boolean;
  readonly isOptional: boolean;
}

/** A way that is newer than this program; it is not to be taken for one that is known. */
export interface UnknownSignIn extends SignInBase {
  readonly kind: 'unknown';
}

/** The ways to sign in that an agent offers. */
export function toSignInMethods(methods: readonly AuthMethod[]): SignInMethod[] {
  return methods.map(toSignInMethod);
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

/** It was a draft of the protocol once, in two forms, and agents still send it: `vars: [{name, …}]`, and `varName`. */
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
