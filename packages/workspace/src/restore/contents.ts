import { blobId } from './blob-id.ts';

/** Reads a content by git's id of it. */
export type ReadBlob = (blob: string) => Promise<Uint8Array>;

/** Contents by id: those that were added, in front of others. */
export interface Contents {
  readonly read: ReadBlob;
  /** Adds a content; returns its id. */
  add(content: Uint8Array): string;
}

/** Contents that are in no checkpoint, such as merged ones, in front of those that are. */
export function withContents(read: ReadBlob): Contents {
  const added = new Map<string, Uint8Array>();
  return {
    read: async (blob) => added.get(blob) ?? read(blob),
    add: (content) => {
      const blob = blobId(content);
      added.set(blob, content);
      return blob;
    },
  };
}
