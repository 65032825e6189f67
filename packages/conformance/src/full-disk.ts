import { open, type FileHandle } from 'node:fs/promises';

/** A disk that is full as long as its test says so, for everything in one folder that is written through file handles. */
export interface FullDisk extends AsyncDisposable {
  isFull: boolean;
  /** Settles with the next write that is refused. */
  refused(): Promise<void>;
}

/**
 * Makes the writes of this process to logs fail with `ENOSPC` while `isFull` is set; half of the first one is written. All
 * other writes go on: this simulates a disk whose last bytes are used up.
 *
 * @param anyFile A file whose handle is like the others.
 */
export async function fullDisk(anyFile: string): Promise<FullDisk> {
  const handles = await prototypeOf(anyFile);
  const { write } = handles;
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
    },
  };
  handles.write = async function refuse(this: FileHandle, buffer: Buffer, offset: number) {
    if (!disk.isFull) {
      isHalfDone = false;
      return write.call(this, buffer, offset);
    }
    const half = Math.floor((buffer.length - offset) / 2);
    if (!isHalfDone && half > 0) {
      isHalfDone = true;
      return write.call(this, buffer, offset, half);
    }
    const released = waiting;
    waiting = [];
    for (const release of released) release();
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
      code: 'ENOSPC',
      syscall: 'write',
    });
  };
  return disk;
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
