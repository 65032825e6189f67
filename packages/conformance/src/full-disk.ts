import fs from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';

/** Simulates a full disk for the files of one folder that are written through file handles, or with `writeSync`. */
export interface FullDisk extends AsyncDisposable {
  isFull: boolean;
  /** Settles with the next write that fails. */
  refused(): Promise<void>;
}

/**
 * Makes this process's writes to logs fail with `ENOSPC` while `isFull` is set, after writing half of the first one.
 * Other writes succeed. This simulates a disk that is full.
 *
 * @param anyFile Any file, whose handle class is patched.
 */
export async function fullDisk(anyFile: string): Promise<FullDisk> {
  const handles = await prototypeOf(anyFile);
  const { write } = handles;
  const { writeSync } = fs;
  let isHalfDone = false;
  let waiting: (() => void)[] = [];
  const disk = {
    isFull: false,
    refused: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
      }),
    async [Symbol.asyncDispose]() {
      handles.write = write;
      replaceWriteSync(writeSync);
    },
  };
  /** The number of bytes of a write that fit; undefined for all. */
  const roomFor = (bytes: number): number | undefined => {
    if (!disk.isFull) {
      isHalfDone = false;
      return undefined;
    }
    const half = Math.floor(bytes / 2);
    if (!isHalfDone && half > 0) {
      isHalfDone = true;
      return half;
    }
    const released = waiting;
    waiting = [];
    for (const release of released) release();
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    });
  };
  handles.write = async function refuse(this: FileHandle, buffer: Buffer, offset: number) {
    return write.call(this, buffer, offset, roomFor(buffer.length - offset));
  };
  replaceWriteSync((...args) => {
    const [file, bytes, offset] = args;
    if (typeof offset !== 'number') return writeSync(...args);
    const room = roomFor(bytes.byteLength - offset);
    return room === undefined ? writeSync(...args) : writeSync(file, bytes, offset, room);
  });
  return disk;
}

type WriteBytes = (file: number, bytes: NodeJS.ArrayBufferView, offset?: number | null) => number;

function replaceWriteSync(replacement: WriteBytes): void {
  Object.assign(fs, { writeSync: replacement });
  // So that modules that import it by its name get it as well.
  syncBuiltinESMExports();
}

interface Handles {
  write: (
    this: FileHandle,
    buffer: Buffer,
    offset: number,
    length?: number,
  ) => Promise<{ readonly bytesWritten: number; readonly buffer: Buffer }>;
}

async function prototypeOf(anyFile: string): Promise<Handles> {
  await using handle = await open(anyFile, 'r');
  const prototype: unknown = Object.getPrototypeOf(handle);
  // oxlint-disable-next-line typescript/consistent-type-assertions -- what file handles have, though their type does not say so
  return prototype as Handles;
}
