import { Redaction } from '../redaction/redaction.ts';

/** What persons typed for an agent to sign in with: it is in memory only, and in nothing that is told. */
export class TypedVariables {
  readonly #secrets: readonly string[];
  #values: Readonly<Record<string, string>> = {};
  #redaction: Redaction;

  /** @param secrets What must not be told of the agent either way. */
  constructor(secrets: readonly string[]) {
    this.#secrets = secrets;
    this.#redaction = new Redaction(secrets);
  }

  /** What the agent is started with. */
  get values(): Readonly<Record<string, string>> {
    return this.#values;
  }

  get redaction(): Redaction {
    return this.#redaction;
  }

  learn(values: Readonly<Record<string, string>>): void {
    this.#values = { ...this.#values, ...values };
    this.#redaction = new Redaction([...this.#secrets, ...Object.values(this.#values)]);
  }
}
