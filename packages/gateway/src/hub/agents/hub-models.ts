import type { ConnectModelParams, ModelProviders } from '@parley/host/hub';

/** The model providers of Parley's agent. */
export interface HubModels {
  list(): Promise<ModelProviders>;
  /**
   * Tests a provider with one request, and stores its settings if it responds.
   *
   * @throws {RpcError} Why the test failed.
   */
  connect(params: ConnectModelParams, signal: AbortSignal): Promise<ModelProviders>;
  /** Removes stored settings. @throws {RpcError} -32602: nothing was stored. */
  disconnect(provider: string): Promise<ModelProviders>;
}
