import { fields, listOf, oneOf, optional, word, type Schema } from '@parley/workspace/schema';
import { parseJson, readAs } from '../configuration/read-json.ts';

/** A provider that was connected. */
export interface StoredProvider {
  readonly id: string;
  readonly baseUrl?: string;
  readonly model?: string;
  /** Where its key is. @default it has none */
  readonly keyIn?: 'keychain' | 'file';
  /** The key, where it is in the file. */
  readonly key?: string;
}

const provider: Schema<StoredProvider> = fields({
  id: word,
  baseUrl: optional(word),
  model: optional(word),
  keyIn: optional(oneOf(['keychain', 'file'])),
  key: optional(word),
});

const providersFile = fields({ providers: optional(listOf(provider)) });

/** Reads the text of the file of providers that were connected. */
export async function parseProviders(text: string, file: string): Promise<readonly StoredProvider[]> {
  return readAs(providersFile, await parseJson(text, file), file).value.providers ?? [];
}
