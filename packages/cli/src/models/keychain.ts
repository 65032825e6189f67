import { spawn } from 'node:child_process';
import { access } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { findOnPath } from '@parley/host';
import type { Variables } from '../configuration/places.ts';

/** How long the system's keychain may take: it may ask the user to unlock it. */
const keychainMs = 60_000;

/** The keychain of the system. Keys reach it on standard input: the list of processes shows none. */
export interface Keychain {
  /** Rejects when it cannot be used. */
  store(account: string, key: string): Promise<void>;
  /** Undefined where it has none, or cannot be used. */
  find(account: string): Promise<string | undefined>;
  remove(account: string): Promise<void>;
}

/** Opens the keychain of this machine; undefined where there is none. */
export async function openKeychain(
  env: Variables,
  platform: NodeJS.Platform = process.platform,
): Promise<Keychain | undefined> {
  if (platform === 'darwin') {
    const command = await findOnPath('security', env);
    return command === undefined ? undefined : new SystemKeychain(command, env, macos);
  }
  if (platform !== 'linux' || !(await hasSessionBus(env))) return undefined;
  const command = await findOnPath('secret-tool', env);
  return command === undefined ? undefined : new SystemKeychain(command, env, linux);
}

/** How the program of a keychain is used. */
interface KeychainCommands {
  store(account: string, key: string): Call;
  find(account: string): Call;
  remove(account: string): Call;
}

interface Call {
  readonly args: readonly string[];
  readonly input?: string;
}

const service = 'parley';

/** `security -i` reads its commands from standard input, and keys as hexadecimal digits. */
const macos: KeychainCommands = {
  store: (account, key) => ({
    args: ['-i'],
    input: `add-generic-password -U -s ${service} -a ${account} -X ${Buffer.from(key).toString('hex')}\n`,
  }),
  find: (account) => ({ args: ['find-generic-password', '-s', service, '-a', account, '-w'] }),
  remove: (account) => ({ args: ['delete-generic-password', '-s', service, '-a', account] }),
};

const linux: KeychainCommands = {
  store: (account, key) => ({
    args: ['store', `--label=Parley: ${account}`, 'service', service, 'account', account],
    input: key,
  }),
  find: (account) => ({ args: ['lookup', 'service', service, 'account', account] }),
  remove: (account) => ({ args: ['clear', 'service', service, 'account', account] }),
};

class SystemKeychain implements Keychain {
  readonly #command: string;
  readonly #env: Variables;
  readonly #commands: KeychainCommands;

  constructor(command: string, env: Variables, commands: KeychainCommands) {
    this.#command = command;
    this.#env = env;
    this.#commands = commands;
  }

  async store(account: string, key: string): Promise<void> {
    await this.#run(this.#commands.store(account, key));
    // Some report success without a keychain behind them.
    if ((await this.find(account)) !== key) throw new Error('the keychain could not store the key');
  }

  async find(account: string): Promise<string | undefined> {
    try {
      const found = (await this.#run(this.#commands.find(account))).replace(/\n$/u, '');
      return found === '' ? undefined : found;
    } catch {
      return undefined;
    }
  }

  async remove(account: string): Promise<void> {
    await this.#run(this.#commands.remove(account)).catch(() => undefined);
  }

  /** Rejects without what the program wrote, which may hold a key. */
  async #run({ args, input = '' }: Call): Promise<string> {
    const child = spawn(this.#command, args, {
      env: { ...this.#env },
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: keychainMs,
    });
    const ended = new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    const [output, status] = await Promise.all([text(child.stdout), ended]);
    if (status !== 0) throw new Error(`${path.basename(this.#command)} ended with ${String(status)}`);
    return output;
  }
}

/** Without one, there is no keyring to talk to. */
async function hasSessionBus(env: Variables): Promise<boolean> {
  if ((env['DBUS_SESSION_BUS_ADDRESS'] ?? '') !== '') return true;
  const runtime = env['XDG_RUNTIME_DIR'] ?? '';
  if (runtime === '') return false;
  return access(path.join(runtime, 'bus')).then(
    () => true,
    () => false,
  );
}
