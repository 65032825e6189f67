import { randomUUID } from 'node:crypto';
import { env } from 'node:process';
import { invalidRequest } from '@parley/acp';
import { commandText } from '@parley/workspace';
import type { AgentConnection } from '../../agent/agent-connection.ts';
import type { AgentSpec } from '../../agent/agent-spec.ts';
import { toSignInMethods, type SignInMethod } from '../../agent/authentication/sign-in-method.ts';
import { unattendedMethod } from '../../agent/authentication/unattended-method.ts';
import type { SupervisedAgent } from '../../agent/supervisor/supervised-agent.ts';
import type { SignInState } from '../../hub/hub-agent.ts';
import type { SignInQuestion } from '../../hub/hub-question.ts';
import type { SignInAnswer } from '../open-questions.ts';
import type { TypedVariables } from './typed-variables.ts';

/** Asks the user how to sign in; returns undefined if the user declines. */
export type AskSignIn = (
  question: SignInQuestion,
  agent: AgentConnection,
  signal: AbortSignal,
) => Promise<SignInReply | undefined>;

/** The user's choice of a sign-in method, with the values that it needs. */
export interface SignInReply extends NonNullable<SignInAnswer> {
  /**
   * Called when the agent starts a sign-in that takes time, for example in a browser. The returned function is called
   * at its end.
   */
  readonly onWait?: () => () => void;
}

/** An agent that requires a sign-in, and how to ask the user. */
interface SignInPlace {
  /** The session's key. */
  readonly key: string;
  readonly spec: AgentSpec;
  readonly agent: SupervisedAgent;
  /** The variables that are set were tried with the agent as it runs, and did not lead in. */
  readonly isTried: boolean;
  readonly signal: AbortSignal;
  /** Asks the user; undefined means that the user declines. */
  readonly ask: AskSignIn;
  /** The variables of the agent, in addition to those of this process. */
  readonly variables: Readonly<Record<string, string>>;
  /** Adds variables for the next start of the agent. Their values are secrets. */
  learn(values: Readonly<Record<string, string>>): void;
  /** Takes secrets out of a text. */
  hide(text: string): string;
}

/** What signing in to the agent of a session needs. */
export interface SessionSignInOptions extends Pick<SignInPlace, 'key' | 'ask'> {
  readonly variables: TypedVariables;
  readonly onState?: (state: SignInState) => void;
}

/** Signs in to the agent of a session, each time it requires a sign-in. */
export class SessionSignIn {
  readonly #options: SessionSignInOptions;
  /** The agent for which it was tried without asking. */
  #tried: AgentConnection | undefined;

  constructor(options: SessionSignInOptions) {
    this.#options = options;
  }

  /** Returns whether a user has signed in. */
  async run(spec: AgentSpec, agent: SupervisedAgent, signal: AbortSignal): Promise<boolean> {
    const { key, ask, variables, onState } = this.#options;
    onState?.('needed');
    const tried = agent.connection;
    const isSignedIn = await signIn({
      key,
      spec,
      agent,
      isTried: this.#tried === tried,
      signal,
      ask,
      variables: variables.values,
      learn: (values) => {
        variables.learn(values);
      },
      hide: (text) => variables.redaction.text(text),
    });
    this.#tried = tried;
    if (isSignedIn) onState?.('signed-in');
    return isSignedIn;
  }
}

/**
 * Signs in with variables that are set, else asks until a method succeeds or the user declines. Returns whether it
 * succeeded.
 */
async function signIn(place: SignInPlace): Promise<boolean> {
  const { key, spec, agent, signal, ask, hide } = place;
  let failure: string | undefined;
  const unattended = place.isTried ? undefined : unattendedFor(place);
  if (unattended !== undefined) {
    try {
      await agent.connection.authenticate(unattended, { signal });
      return true;
    } catch (error) {
      failure = hide(error instanceof Error ? error.message : String(error));
    }
  }
  while (!signal.aborted) {
    const methods = toSignInMethods(agent.connection.authMethods, spec.signIn);
    const question: SignInQuestion = {
      key,
      requestId: randomUUID(),
      since: Date.now(),
      kind: 'sign-in',
      agent: spec.name,
      methods,
      commands: commandsOf(spec, methods),
      ...(failure !== undefined && { failure }),
    };
    const answer = await ask(question, agent.connection, signal);
    if (answer === undefined) return false;
    try {
      await carryOut(question, answer, place);
      return true;
    } catch (error) {
      failure = hide(error instanceof Error ? error.message : String(error));
    }
  }
  return false;
}

/** What the user has to run in a terminal, for the method that requires it. */
export function commandsOf(
  { reach }: AgentSpec,
  methods: readonly SignInMethod[],
): Readonly<Record<string, string>> {
  if (reach.by !== 'command') return {};
  const { command, args = [] } = reach;
  return Object.fromEntries(
    methods.flatMap((method) => {
      if (method.kind !== 'terminal') return [];
      const variables = Object.entries(method.env).map(([name, value]) => `${name}=${commandText([value])} `);
      return [[method.id, `${variables.join('')}${commandText([command, ...args, ...method.args])}`]];
    }),
  );
}

function unattendedFor({ spec, agent, variables }: SignInPlace): string | undefined {
  // Only a process of its own inherits what this one has.
  const inherited = spec.reach.by === 'command' ? { ...env, ...spec.env } : {};
  return unattendedMethod(agent.connection.authMethods, { ...inherited, ...variables }, spec.signIn);
}

async function carryOut(
  { methods }: SignInQuestion,
  { methodId, values = {}, onWait }: SignInReply,
  { agent, signal, learn }: SignInPlace,
): Promise<void> {
  const method = methods.find(({ id }) => id === methodId);
  switch (method?.kind) {
    case 'agent': {
      const settled = onWait?.();
      return agent.connection.authenticate(method.id, { signal }).finally(settled);
    }
    case 'variables': {
      const names = new Set(method.variables.map(({ name }) => name));
      learn(
        Object.fromEntries(Object.entries(values).filter(([name, value]) => names.has(name) && value !== '')),
      );
      await agent.renew({ signal });
      // Some agents look at a variable only when they are asked to; the next attempt shows whether it worked.
      return agent.connection.authenticate(method.id, { signal }).catch(() => undefined);
    }
    case 'terminal':
      // The user has run its command elsewhere: what that wrote down counts from the next start on.
      return agent.renew({ signal });
    case 'unknown':
    case undefined:
      throw invalidRequest('this way to sign in is not known here');
  }
}
