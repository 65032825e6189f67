import { blobId } from './blob-id.ts';

/** Reads a content by its git id. */
export type ReadBlob = (blob: string) => Promise<Uint8Array>;

/** Contents by id: added ones, then those of another source. */
export interface Contents {
  readonly read: ReadBlob;
  /** Adds a content and returns its id. */
  add(content: Uint8Array): string;
}

/** Adds contents that are in no checkpoint, such as merged ones, to those of a store. */
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
