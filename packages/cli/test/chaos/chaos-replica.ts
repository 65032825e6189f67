import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { startProxy, type TestProxy } from '@parley/conformance';
import { configureAgent, finish, startParley, type Finished } from '../command.ts';
import { readHubFile, type HubFile } from '../hub.ts';

/** Seconds without a sign of life, after which others take the sessions of a replica over. */
export const leaseSeconds = 2;

/** What all replicas of a run share. */
export interface SharedPlaces {
  readonly root: string;
  /** The URL of the database. */
  readonly database: string;
  readonly token: string;
  /** The command line of the agent. */
  readonly agent: readonly string[];
}

/** A process that serves the sessions of a store together with others, with a proxy between it and the database. */
export class ChaosReplica {
  readonly name: string;
  readonly proxy: TestProxy;
  readonly #places: SharedPlaces;
  #file: HubFile | undefined;
  #finished: Promise<Finished> | undefined;
  /** Whether clients can use it now. */
  isServing = false;
  /** Set when the process ended by itself. */
  failure: Error | undefined;
  /** What its processes wrote to standard error. */
  errors = '';

  constructor(name: string, proxy: TestProxy, places: SharedPlaces) {
    this.name = name;
    this.proxy = proxy;
    this.#places = places;
  }

  static async open(name: string, places: SharedPlaces): Promise<ChaosReplica> {
    const replica = new ChaosReplica(name, await startProxy(places.database), places);
    await replica.start();
    return replica;
  }

  get url(): string {
    return this.#file?.url ?? '';
  }

  async start(): Promise<void> {
    const { root, token, agent } = this.#places;
    const folder = path.join(root, this.name);
    const shared = path.join(root, 'shared');
    await mkdir(shared, { recursive: true });
    await configureAgent(folder, 'numbered', { words: agent, env: { NUMBERED_BY: this.name } });
    const flags = [
      ['--port', '0', '--token', token, '--store', this.proxy.url, '--replica', this.name],
      ['--lease', String(leaseSeconds), '--workspace', `app=${shared}`, '--max-agents', '500'],
    ].flat();
    const child = startParley(['serve', ...flags], { cwd: folder });
    child.stderr.on('data', (text: Buffer) => {
      this.errors += text.toString();
    });
    const finished = finish(child);
    child.stdin.end();
    await new Promise<void>((resolve, reject) => {
      let text = '';
      child.stdout.on('data', (part: string) => {
        text += part;
        if (text.includes('Parley serves')) resolve();
      });
      void finished.then(({ stderr }) => {
        reject(new Error(`${this.name} ended: ${stderr}`));
      });
    });
    this.#file = await readHubFile(folder);
    this.#finished = finished;
    this.isServing = true;
    void finished.then(({ status, stderr }) => {
      if (this.#finished !== finished) return;
      this.failure = new Error(`${this.name} ended with status ${String(status)}: ${stderr.slice(-2000)}`);
    });
  }

  /** Stops the process, or lets it go on; its agents are not stopped. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void {
    if (this.#file !== undefined) process.kill(this.#file.pid, signal);
  }

  /** Ends the process. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<Finished | undefined> {
    this.isServing = false;
    const finished = this.#finished;
    if (finished === undefined || this.#file === undefined) return undefined;
    this.#finished = undefined;
    // One that has ended by itself is what the test reports.
    if (this.failure === undefined) process.kill(this.#file.pid, signal);
    return finished;
  }
}
