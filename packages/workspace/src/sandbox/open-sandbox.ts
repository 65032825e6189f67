import { existsSync, writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:net';
import path from 'node:path';
import { relayCommand } from '../network/relay-script.ts';
import type { ProcessOptions } from '../process/start-process.ts';
import type { SandboxEngine } from './engine.ts';
import { sandboxVariables } from './environment.ts';
import { findPerl } from './find-engine.ts';
import type { Holder } from './holder.ts';
import { findReplaced, identitiesOf } from './identities.ts';
import { accessTo, isVisible } from './layout/access.ts';
import { type Layout, createLayout, withReadOnly } from './layout/layout.ts';
import { isRepository } from './layout/protect.ts';
import { createLinuxHolder } from './linux/linux-holder.ts';
import { createSeatbeltHolder } from './macos/seatbelt-holder.ts';
import { type SandboxPlan, relaySocketPath, toolSocketPath } from './plan.ts';
import type { HeldCommand, Sandbox } from './sandbox.ts';
import { type ScratchFolder, createScratchFolder } from './scratch-folder.ts';
import { createSelfTest } from './self-test.ts';
import { stageLine, writeStage } from './stage.ts';
import { startTrouble } from './start-trouble.ts';

/** Opens a sandbox. Rejects with `not-started` where it cannot hold what the plan asks. */
export async function openSandbox(plan: SandboxPlan, engine: SandboxEngine): Promise<Sandbox> {
  const searchedPerl = findPerl({ projects: plan.folders });
  const scratch = await createScratchFolder();
  let listener: Server | undefined;
  try {
    if (plan.network !== 'on') listener = await listen();
    const planned = await createLayout(plan, scratch.path);
    const perl = await searchedPerl;
    const isMac = engine.name === 'sandbox-exec';
    // A profile of macOS names paths, whether they exist or not.
    const counters = isMac ? [] : await scratch.addPlaceholders(planned.mountPoints);
    const layout = withReadOnly(planned, counters);
    const holder = isMac
      ? await createSeatbeltHolder(layout, plan, engine, scratch.path)
      : await createLinuxHolder(layout, plan, engine, scratch.path, perl);
    writeStage(path.join(scratch.path, 'stage'), await createSelfTest(layout, scratch.canary), perl);
    return new OpenSandbox({ plan, engine, layout, scratch, holder, listener, perl });
  } catch (error) {
    listener?.close();
    await scratch.remove();
    throw error;
  }
}

interface Parts {
  readonly plan: SandboxPlan;
  readonly engine: SandboxEngine;
  readonly layout: Layout;
  readonly scratch: ScratchFolder;
  readonly holder: Holder;
  /** What the self-test must not be able to connect to. */
  readonly listener: Server | undefined;
  readonly perl: string | undefined;
}

class OpenSandbox implements Sandbox {
  readonly plan: SandboxPlan;
  readonly engine: SandboxEngine;
  readonly toolSocket: string | undefined;
  readonly #parts: Parts;
  readonly #convertible: Set<string>;
  #commands = 0;
  #closed: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.plan = parts.plan;
    this.engine = parts.engine;
    const { toolSocket } = parts.plan;
    // On macOS there is no other file system inside.
    const isMoved = toolSocket !== undefined && parts.engine.name !== 'sandbox-exec';
    this.toolSocket = isMoved ? toolSocketPath : toolSocket;
    this.#parts = parts;
    this.#convertible = new Set(parts.layout.convertible);
  }

  hold(options: ProcessOptions): HeldCommand {
    const { holder, scratch, perl } = this.#parts;
    const { command, args = [], shell = false, argv0, reach: _, ...rest } = options;
    this.#commands += 1;
    const report = path.join(scratch.path, `report-${String(this.#commands)}`);
    const log = path.join(scratch.path, `log-${String(this.#commands)}`);
    const identities = this.#identities();
    const program = shell ? ['/bin/sh', '-c', command] : named([command, ...args], argv0, perl);
    const test = {
      folder: holder.stage,
      identities: this.#writeIdentities(identities),
      port: this.#port(),
      perl,
    };
    const line = stageLine(test, [...this.#relay(), ...program]);
    const { args: held, mounted } = holder.argumentsFor({ line, cwd: options.cwd, report, log });
    return {
      options: {
        ...rest,
        command: holder.command,
        args: held,
        env: sandboxVariables(options.env ?? {}, this.plan, holder.temporary),
      },
      trouble: () =>
        startTrouble(this.engine, {
          reportFile: report,
          logFile: log,
          findReplaced: () => findReplaced(identities),
          findRemoved: () => mounted.find((each) => !existsSync(each)),
        }),
    };
  }

  refusesWrite(file: string): string | undefined {
    const access = accessTo(file, this.#parts.layout.accesses);
    if (access === 'write') return undefined;
    return isVisible(access)
      ? `the sandbox (mode ${this.plan.mode}) does not allow writing here`
      : 'the sandbox hides this path';
  }

  refusesRead(file: string): string | undefined {
    const isRead = isVisible(accessTo(file, this.#parts.layout.accesses));
    return isRead ? undefined : 'the sandbox hides this path';
  }

  takeConverted(): readonly string[] {
    const converted = [...this.#convertible].filter((folder) => isRepository(folder));
    for (const folder of converted) this.#convertible.delete(folder);
    return converted;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #close(): Promise<void> {
    this.#parts.listener?.close();
    await this.#parts.scratch.remove();
  }

  /** What starts in front of each command. */
  #relay(): readonly string[] {
    const { network } = this.plan;
    if (typeof network === 'string') return [];
    const { hosts, socket } = network;
    // On macOS there is no other file system inside.
    if (this.engine.name === 'sandbox-exec') return relayCommand({ hosts, socketPath: socket });
    const { perl } = this.#parts;
    return relayCommand({ hosts, socketPath: relaySocketPath, ...(perl !== undefined && { perl }) });
  }

  /** Read for each command: programs outside may replace files meanwhile. */
  #identities(): string {
    const hasMounts = this.engine.name !== 'sandbox-exec';
    return hasMounts ? identitiesOf(this.#parts.layout.mounted) : '';
  }

  /** Returns the name of the file. */
  #writeIdentities(identities: string): string {
    const name = `identities-${String(this.#commands)}`;
    writeFileSync(path.join(this.#parts.scratch.path, 'stage', name), identities);
    return name;
  }

  #port(): number {
    const address = this.#parts.listener?.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }
}

/** A command line whose program has another name for itself than its path. Only Perl can start one in all shells. */
function named(
  [program = '', ...args]: readonly string[],
  argv0: string | undefined,
  perl: string | undefined,
): readonly string[] {
  if (argv0 === undefined || perl === undefined) return [program, ...args];
  return [perl, '-e', 'my $program = shift; exec { $program } @ARGV', program, argv0, ...args];
}

/** A listener on the loopback interface outside, which ends each connection. */
async function listen(): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return server.unref();
}
