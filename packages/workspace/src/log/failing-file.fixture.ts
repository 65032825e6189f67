import type { LogFile } from './log-file.ts';

/** A disk with a switch, in front of a real file. */
export interface FailingDisk {
  /** Number of bytes until the disk is full. */
  roomBytes: number;
  /** Whether truncating an incomplete write fails too. */
  isCutRefused: boolean;
  readonly through: (file: LogFile) => LogFile;
}

/** A disk that accepts a number of bytes, even as part of a write, and then reports that it is full. */
export function failingDisk(roomBytes = Number.POSITIVE_INFINITY): FailingDisk {
  const disk: FailingDisk = {
    roomBytes,
    isCutRefused: false,
    through: (file) => {
      /** The bytes up to where there is room. */
      const fitting = (bytes: Buffer, from: number): Buffer => {
        if (disk.roomBytes <= 0) throw systemError('ENOSPC');
        const part = bytes.subarray(0, Math.min(bytes.length, from + disk.roomBytes));
        disk.roomBytes -= part.length - from;
        return part;
      };
      const checkCut = (): void => {
        if (disk.isCutRefused) throw systemError('EIO');
      };
      return {
        write: async (bytes, from) => file.write(fitting(bytes, from), from),
        writeNow: (bytes, from) => file.writeNow(fitting(bytes, from), from),
        truncate: async (length) => {
          checkCut();
          await file.truncate(length);
        },
        truncateNow: (length) => {
          checkCut();
          file.truncateNow(length);
        },
        datasync: () => file.datasync(),
        close: () => file.close(),
      };
    },
  };
  return disk;
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code, syscall: 'write' });
}
