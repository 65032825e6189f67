export type { BridgeOptions, VariableOption } from './bridge/bridge-options.ts';
export { createBridgedAgent } from './bridge/bridged-agent.ts';
export type { BridgedAgent } from './bridge/bridged-agent.ts';
export type {
  AgentToolCall,
  AnswerToolCall,
  ToolEndpoint,
  ToolEndpointOptions,
  ToolEndpoints,
} from './client-tools/tool-endpoint.ts';
export { serveDelegation } from './client-tools/serve-delegation.ts';
export { createToolEndpoints } from './client-tools/tool-endpoints.ts';
export type { ToolEndpointsOptions } from './client-tools/tool-endpoints.ts';
export type {
  BringTools,
  BroughtNotice,
  BroughtResult,
  BroughtTool,
  BroughtTools,
} from './aap-agent/brought-tools.ts';
export { createAapAgent, type AapAgent, type AapAgentOptions } from './aap-agent/create-aap-agent.ts';
export { createHub, type Hub } from './hub/create-hub.ts';
export type { AgentOffer } from './hub/agents/agent-offer.ts';
export type { HubCatalogue, InstallAgentOptions, ListedAgent } from './hub/agents/hub-catalogue.ts';
export type { HubModels } from './hub/agents/hub-models.ts';
export type { HubOptions, TeamSettings } from './hub/hub-options.ts';
export type { HubReplicasOptions } from './hub/replicas/hub-replicas.ts';
export type { HubWorktree, HubWorktrees } from './hub/hub-worktrees.ts';
export { apiRoute } from './hub/api/api-route.ts';
export { toolKinds } from './tool-kinds.ts';
export {
  defaultHubLimits,
  defaultLimits,
  defaultPushLimits,
  type HubLimits,
  type Limits,
  type PushLimits,
} from './limits.ts';
export {
  makeToken,
  scopes,
  hubTokenId,
  serverTokenId,
  toTokenRecord,
  type Principal,
  type Scope,
  type TokenRecord,
  type TokenTraits,
} from './access/token.ts';
export {
  isExpired,
  tokenFile,
  watchTokens,
  type NewToken,
  type StoredToken,
  type TokenFile,
  type TokenFileOptions,
  type WatchedTokens,
  type WatchTokensOptions,
} from './access/token-file.ts';
export type { BrowserSession, BrowserSessions } from './access/browser-sessions.ts';
export { openBrowserFile, type BrowserFileOptions, type KeptBrowserSessions } from './access/browser-file.ts';
export { adoptSessions, toTokenId } from './access/adopt-sessions.ts';
export { adoptAcpSessions, type AdoptOptions } from './access/adopt-acp-sessions.ts';
export { isLoopback } from './access/loopback.ts';
export type { Pass } from './access/gate.ts';
export type { FollowedPass } from './access/live-passes.ts';
export type { OneTimeLinkOptions } from './access/one-time-links.ts';
export { GatewayError, type GatewayErrorCode } from './gateway-error.ts';
export { createMetrics, type Metrics, type MetricsSources } from './metrics/create-metrics.ts';
export { metricsRoute } from './metrics/metrics-route.ts';
export { openApiRoutes } from './pages/open-api-routes.ts';
export { programsRoute, type ProgramsPage } from './pages/programs-route.ts';
export type { AcpConnectionOptions } from './acp/acp-connection.ts';
export { createAcpRoutes, type AcpRoutes } from './acp/acp-routes.ts';
export { aapRoute } from './server/aap-route.ts';
export { createGateway, type Gateway, type GatewayOptions } from './server/create-gateway.ts';
export type { AnsweredRequest } from './server/exchanges.ts';
export { healthRoutes, unavailable } from './server/health-routes.ts';
export type { Route, RouteContext, UpgradeContext } from './server/route.ts';
export type { FetchHandler, Peer, RawUpgrade, TakeOver, UpgradeHandler } from './node-http/handler.ts';
export type { Certificate } from './node-http/node-servers.ts';
export { openHttpServer, type HttpServer, type HttpServerOptions } from './node-http/open-http-server.ts';
export { openSecretVault } from './store/open-secret-vault.ts';
export { createApplicationSessions, type ApplicationSessions } from './hub/application-sessions.ts';
export { checkSharedKey, sealedDocument } from './store/sealed-document.ts';
export type { AapStore } from './store/aap-store.ts';
export {
  openAapStore,
  openSharedAapStore,
  type AapStoreOptions,
  type SharedAapStoreOptions,
} from './store/open-aap-store.ts';
export { openPush, type Push, type PushOptions } from './push/open-push.ts';
export type { PushNetwork } from './push/post-push.ts';
export type { AllowsAddress, PushKind } from './push/push-device.ts';
export { listDevices, revokeDevice, type RegisteredDevice } from './push/registered-devices.ts';
export { readWebAssets, type AssetVariant, type WebAsset, type WebAssets } from './web/web-assets.ts';
export { webRoute } from './web/web-route.ts';
