import path from 'node:path';
import { CliError } from '../cli-error.ts';
import { modelsFile } from '../configuration/places.ts';
import { exitStatus } from '../exit-status.ts';
import { decodeInput, readInputFile } from '../input-file.ts';
import { createTerminal } from '../question/terminal.ts';
import { readStandardInput } from '../standard-input.ts';
import type { Surroundings } from '../surroundings.ts';
import { connectModel } from './connect-model.ts';
import { removeProvider } from './model-store.ts';

/** The flags of `parley models connect`. */
export interface ConnectFlags {
  readonly baseUrl?: string;
  readonly model?: string;
  readonly keyFile?: string;
  /** False with `--no-key`. */
  readonly key: boolean;
}

/** `parley models connect`: asks for a key, tries it, and stores it. */
export async function connect(
  provider: string,
  { baseUrl, model, ...flags }: ConnectFlags,
  surroundings: Surroundings,
): Promise<number> {
  const { env, stdout } = surroundings;
  const key = flags.key ? await readKey(provider, flags, surroundings) : undefined;
  const connected = await connectModel(
    {
      id: provider,
      ...(key !== undefined && { key }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(model !== undefined && { model }),
    },
    env,
  );
  stdout.write(`Connected ${connected.provider}: ${connected.model} answered.\n`);
  if (connected.keyIn === 'keychain') stdout.write("The key is in the system's keychain.\n");
  if (connected.keyIn === 'file') {
    stdout.write(`The key is in ${modelsFile(env)}, which only you can read.\n`);
  }
  return exitStatus.done;
}

/** `parley models disconnect`: removes a stored key. */
export async function disconnect(provider: string, { env, stdout }: Surroundings): Promise<number> {
  if (!(await removeProvider(provider, env))) {
    throw new CliError(
      'usage',
      `${provider} is not connected; "parley models" lists the connected providers`,
    );
  }
  stdout.write(`Disconnected ${provider}.\n`);
  return exitStatus.done;
}

async function readKey(
  provider: string,
  { keyFile }: Pick<ConnectFlags, 'keyFile'>,
  { stdin, stderr, cwd }: Surroundings,
): Promise<string | undefined> {
  if (keyFile === '-' || (keyFile === undefined && stdin.isTTY !== true)) {
    return decodeInput(await readStandardInput(stdin, { code: 'usage' }), {
      label: 'standard input',
      code: 'usage',
    });
  }
  if (keyFile !== undefined) {
    const source = { label: keyFile, code: 'usage' } as const;
    return decodeInput(await readInputFile(path.resolve(cwd, keyFile), source), source);
  }
  const terminal = createTerminal(stdin, stderr);
  return terminal.askSecret(`Key of ${provider} (is not shown): `, new AbortController().signal);
}
