import { stat, statfs } from 'node:fs/promises';

/** Folders whose disk is known. */
const mostFolders = 1000;
/** A look at a file that takes longer, in milliseconds, shows that its disk is slow. */
const slowMs = 20;
/** How long files are not looked at synchronously after that, in milliseconds. */
const restMs = 10_000;

/** File systems on a disk of this machine or in its memory, by their numbers in Linux. */
const localTypes: ReadonlySet<number> = new Set([
  0xef53, // ext2, ext3, ext4
  0x5846_5342, // XFS
  0x9123_683e, // Btrfs
  0xca45_1a4e, // bcachefs
  0xf2f5_2010, // F2FS
  0x2fc1_2fc1, // ZFS
  0x794c_7630, // overlayfs
  0x0102_1994, // tmpfs
  0x8584_58f6, // ramfs
]);

/**
 * The folders that are known to be on a local disk. Files in them can be looked at synchronously, which takes some microseconds: less
 * than waking another thread.
 */
export class LocalFolders {
  readonly #now: () => number;
  /** The device of each folder, or undefined if it is not on a local disk. The oldest is removed first. */
  readonly #devices = new Map<string, number | undefined>();
  #restsUntil = Number.NEGATIVE_INFINITY;

  /** @param now The monotonic clock in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /**
   * Finds out whether a folder is on a local disk, without blocking.
   *
   * @param folder A real path.
   */
  async learn(folder: string): Promise<void> {
    const devices = this.#devices;
    if (devices.has(folder)) return;
    devices.set(folder, undefined);
    for (const oldest of devices.keys()) {
      if (devices.size <= mostFolders) break;
      devices.delete(oldest);
    }
    try {
      const [{ type }, { dev }] = await Promise.all([statfs(folder), stat(folder)]);
      if (localTypes.has(type) && devices.has(folder)) devices.set(folder, dev);
    } catch {
      // It was removed meanwhile: the next look reports it.
      devices.delete(folder);
    }
  }

  /**
   * Looks at a file of a folder synchronously. Returns undefined if the folder is not known to be on a local disk, if the disk was slow
   * just now, or if `look` fails: an asynchronous look then has to find out.
   *
   * @param look Receives the device of the folder. A file on another device may be anywhere.
   */
  look<T>(folder: string, look: (device: number) => T | undefined): T | undefined {
    const device = this.#devices.get(folder);
    if (device === undefined) return undefined;
    const start = this.#now();
    if (start < this.#restsUntil) return undefined;
    try {
      return look(device);
    } catch {
      return undefined;
    } finally {
      const end = this.#now();
      if (end - start > slowMs) this.#restsUntil = end + restMs;
    }
  }
}

/** Those of this process. */
export const localFolders: LocalFolders = new LocalFolders();
