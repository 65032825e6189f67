import { ftruncateSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';

/** The file operations of a log writer: append, truncate, sync. */
export interface LogFile {
  /**
   * Writes bytes from a position in the buffer. Returns how many were written, which may be fewer if the disk is
   * full.
   */
  write(bytes: Buffer, from: number): Promise<number>;
  /** Writes synchronously. */
  writeNow(bytes: Buffer, from: number): number;
  truncate(length: number): Promise<void>;
  truncateNow(length: number): void;
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/** The file behind a handle that was opened for appending. */
export function toLogFile(handle: FileHandle): LogFile {
  return {
    write: async (bytes, from) => (await handle.write(bytes, from)).bytesWritten,
    writeNow: (bytes, from) => writeSync(handle.fd, bytes, from),
    truncate: (length) => handle.truncate(length),
    truncateNow: (length) => ftruncateSync(handle.fd, length),
    datasync: () => handle.datasync(),
    close: () => handle.close(),
  };
}
