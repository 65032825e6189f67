import path from 'node:path';
import { checkSharedKey, listDevices, openSecretVault, revokeDevice, sealedDocument } from '@parley/gateway';
import type { ListPlace } from '@parley/workspace';
import { CliError } from '../cli-error.ts';
import { pushFile, servedFolder } from '../configuration/places.ts';
import { exitStatus } from '../exit-status.ts';
import { toColumns } from '../output/columns.ts';
import { toPlainLine } from '../output/plain.ts';
import { openDatabase } from '../store/open-database.ts';
import { parseStore } from '../store/parse-store.ts';
import type { Surroundings } from '../surroundings.ts';

/** Where the devices are stored, as typed. */
export interface TypedDevicesStore {
  readonly store?: string;
  readonly secretsKey?: string;
}

/** `parley serve devices list`. */
export async function listPushDevices(
  { json, ...store }: { readonly json?: boolean } & TypedDevicesStore,
  surroundings: Surroundings,
): Promise<number> {
  const { stdout } = surroundings;
  const devices = await withDevices(store, surroundings, listDevices);
  if (json === true) {
    stdout.write(`${JSON.stringify({ devices }, undefined, 2)}\n`);
    return exitStatus.done;
  }
  const rows = devices.map(({ id, name, kinds, createdAt }) => [
    id,
    createdAt.slice(0, 10),
    kinds.join(', '),
    toPlainLine(name),
  ]);
  stdout.write(
    rows.length === 0
      ? 'No devices are notified. Enable notifications in the settings of the web interface.\n'
      : `${toColumns([['ID', 'SINCE', 'NOTIFIED OF', 'NAME'], ...rows]).join('\n')}\n`,
  );
  return exitStatus.done;
}

/** `parley serve devices revoke ID`. */
export async function revokePushDevice(
  id: string,
  { json, ...store }: { readonly json?: boolean } & TypedDevicesStore,
  surroundings: Surroundings,
): Promise<number> {
  if (!(await withDevices(store, surroundings, (place) => revokeDevice(place, id)))) {
    throw new CliError(
      'usage',
      `no device ${JSON.stringify(id)}; "parley serve devices list" lists the devices`,
    );
  }
  surroundings.stdout.write(
    json === true ? `${JSON.stringify({ id, revoked: true }, undefined, 2)}\n` : `Revoked ${id}.\n`,
  );
  return exitStatus.done;
}

/** Without a shared key, the devices of a database are in the files of the machine that notifies them. */
async function withDevices<Result>(
  { store, secretsKey: typedKey }: TypedDevicesStore,
  surroundings: Surroundings,
  run: (place: ListPlace) => Promise<Result>,
): Promise<Result> {
  const { cwd, env } = surroundings;
  const place = parseStore(store, surroundings);
  const { PARLEY_SECRETS_KEY: variable = '' } = env;
  const secretsKey = typedKey ?? variable;
  if (place?.kind !== 'database' || secretsKey === '') {
    return run(pushFile(place?.kind === 'folder' ? place.folder : servedFolder(env)));
  }
  await using database = await openDatabase(place.url, surroundings);
  const vault = await openSecretVault(path.resolve(cwd, secretsKey));
  await checkSharedKey(database.document('secrets-key'), vault);
  return await run(sealedDocument(database.document('push'), vault));
}
