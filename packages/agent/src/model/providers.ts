import type { ProviderInfo, SetProviderRequest } from '@parley/acp/unstable';

/** The providers of models, as the client of a connection can configure them. */
export interface Providers {
  list(): Promise<readonly ProviderInfo[]>;
  /** Applies to sessions that are opened from now on. @throws {RpcError} -32602: an unknown provider, or a value that cannot be used. */
  set(request: SetProviderRequest): Promise<void>;
  /** An unknown provider is disabled already. */
  disable(provider: string): Promise<void>;
}
