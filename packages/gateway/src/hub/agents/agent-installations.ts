import { invalidRequest } from '@parley/acp';
import type { AgentInstallation } from '@parley/host/hub';
import type { HubCatalogue } from './hub-catalogue.ts';

/** Interval of progress updates of an installation. */
const progressMs = 250;

interface Running {
  readonly since: number;
  fetched: number;
  readonly ending: AbortController;
  readonly done: Promise<void>;
}

/** The agents that are being installed. */
export class AgentInstallations {
  readonly #catalogue: HubCatalogue | undefined;
  readonly #onChange: () => void;
  readonly #running = new Map<string, Running>();

  constructor(catalogue: HubCatalogue | undefined, onChange: () => void) {
    this.#catalogue = catalogue;
    this.#onChange = onChange;
  }

  /** How far the installation of an agent is; undefined where it is not being installed. */
  find(name: string): AgentInstallation | undefined {
    const running = this.#running.get(name);
    return running === undefined ? undefined : { since: running.since, fetched: running.fetched };
  }

  /** Settles when the agent is installed. @throws {HostError} */
  install(name: string): Promise<void> {
    const running = this.#running.get(name);
    if (running !== undefined) return running.done;
    if (this.#catalogue === undefined) throw invalidRequest('agents cannot be installed here');
    const ending = new AbortController();
    let shownAt = -progressMs;
    const done = this.#catalogue
      .install(name, {
        signal: ending.signal,
        onProgress: (fetched) => {
          begun.fetched = fetched;
          const now = performance.now();
          if (now - shownAt < progressMs) return;
          shownAt = now;
          this.#onChange();
        },
      })
      .finally(() => {
        this.#running.delete(name);
        this.#onChange();
      });
    const begun: Running = { since: Date.now(), fetched: 0, ending, done };
    this.#running.set(name, begun);
    this.#onChange();
    return done;
  }

  cancel(name: string): void {
    this.#running.get(name)?.ending.abort();
  }

  /** Ends all installations. */
  close(): void {
    for (const { ending } of this.#running.values()) ending.abort();
  }
}
