import { Redaction } from '../../redaction/redaction.ts';

/** What users typed for an agent to sign in with: it is in memory only. */
export class TypedVariables {
  readonly #secrets: readonly string[];
  #values: Readonly<Record<string, string>> = {};
  #redaction: Redaction;

  readonly #hides: boolean;

  /**
   * @param secrets Secret values of the agent.
   *
   * @param hides Whether typed values are secret too. @default true
   */
  constructor(secrets: readonly string[], { hides = true }: { readonly hides?: boolean } = {}) {
    this.#secrets = secrets;
    this.#hides = hides;
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
    if (this.#hides) this.#redaction = new Redaction([...this.#secrets, ...Object.values(this.#values)]);
  }
}
