import { stateList, type ListPlace, type StateList } from '@parley/workspace';
import { parserOf, type Schema } from '@parley/workspace/schema';
import * as v from 'valibot';
import { pushDevice, type PushDevice } from './push-device.ts';
import { makePrivateKey, toPushKey, type PushKey } from './push-key.ts';

/** The devices that are notified, and the server's key, in a file that only its owner may read. */
export class PushFile {
  readonly #list: StateList<PushEntry>;

  /**
   * A missing file is treated as empty. Each method throws a `WorkspaceError` with the code `insecure` if other users
   * can read the file.
   */
  constructor(place: ListPlace) {
    this.#list = stateList(place, parserOf(pushEntry), { isPrivate: true, skipsUnknown: true });
  }

  /** The devices as they are now: another process may have removed one. */
  async devices(): Promise<readonly PushDevice[]> {
    return devicesIn(await this.#list.read());
  }

  /** The server's key, created on first use. */
  async key(): Promise<PushKey> {
    const known = keyIn(await this.#list.read());
    if (known !== undefined) return toPushKey(known);
    const made = makePrivateKey();
    const entries = await this.#list.change((now) =>
      keyIn(now) === undefined ? [{ kind: 'key', privateKey: made }, ...now] : now,
    );
    return toPushKey(keyIn(entries) ?? made);
  }

  /** Changes the list of devices. Concurrent changes of other processes are preserved. */
  async change(change: (devices: readonly PushDevice[]) => readonly PushDevice[]): Promise<void> {
    await this.#list.change((entries) => [
      ...entries.filter(({ kind }) => kind === 'key'),
      ...change(devicesIn(entries)).map((device) => ({ kind: 'device' as const, device })),
    ]);
  }
}

type PushEntry =
  | { readonly kind: 'key'; readonly privateKey: string }
  | { readonly kind: 'device'; readonly device: PushDevice };

const pushEntry: Schema<PushEntry> = v.variant('kind', [
  v.object({ kind: v.literal('key'), privateKey: v.pipe(v.string(), v.check(isKey)) }),
  v.object({ kind: v.literal('device'), device: pushDevice }),
]);

function devicesIn(entries: readonly PushEntry[]): readonly PushDevice[] {
  return entries.flatMap((entry) => (entry.kind === 'device' ? [entry.device] : []));
}

function keyIn(entries: readonly PushEntry[]): string | undefined {
  return entries.find((entry) => entry.kind === 'key')?.privateKey;
}

function isKey(stored: string): boolean {
  try {
    return toPushKey(stored).publicKey !== '';
  } catch {
    return false;
  }
}
