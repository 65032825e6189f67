import type { AgentConnection } from '../agent/agent-connection.ts';
import type { OpenQuestions } from './open-questions.ts';
import type { SessionOptions } from './session-options.ts';
import { signIn, type SignInPlace } from './sign-in.ts';

/** Signs in to the agent of a session, by what is set, else by what its clients are asked. */
export class SessionSignIns {
  readonly #options: SessionOptions;
  readonly #questions: OpenQuestions;
  /** The agent for which it was tried, without asking, to sign in. */
  #tried: AgentConnection | undefined;

  constructor(options: SessionOptions, questions: OpenQuestions) {
    this.#options = options;
    this.#questions = questions;
  }

  /** Gives whether somebody is signed in. */
  async signIn({ spec, agent, signal }: Pick<SignInPlace, 'spec' | 'agent' | 'signal'>): Promise<boolean> {
    const { key, variables, onSignIn } = this.#options;
    onSignIn('needed');
    const tried = agent.handle;
    const isSignedIn = await signIn({
      key,
      spec,
      agent,
      isTried: this.#tried === agent.handle,
      signal,
      ask: (question) => this.#questions.askSignIn(question, signal),
      variables: variables.values,
      learn: (values) => {
        variables.learn(values);
      },
      hide: (text) => variables.redaction.text(text),
    });
    this.#tried = tried;
    if (isSignedIn) onSignIn('signed-in');
    return isSignedIn;
  }
}
