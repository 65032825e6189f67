export { createNodeEnvironment } from './environment.ts';
export type { CommandHolder, NodeEnvironmentOptions } from './environment.ts';
export { serveAgent } from './serve-agent.ts';
export type { ProviderOptions, ServeAgentOptions } from './serve-agent.ts';
export type { ModelPrice, ModelPrices } from './provider/model-price.ts';
export type {
  ProjectVariables,
  ReadProjectVariables,
  ResolveProvider,
} from './provider/environment-models.ts';
export { tryProvider, type TriedProvider } from './provider/try-provider.ts';
export {
  ProviderVariables,
  isProviderVariable,
  knownProviders,
  toPrefix,
} from './provider/provider-settings.ts';
export type {
  FoundProvider,
  ProviderApi,
  ProviderSettings,
  Variables,
} from './provider/provider-settings.ts';
export { serveStdio } from './serve-stdio.ts';
export type { ServeStdioOptions } from './serve-stdio.ts';
export { stateDirectory } from './state-directory.ts';
