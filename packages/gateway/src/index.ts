export type { AcquireOptions, AgentPool, PoolPlace, PoolTenant } from './pool/agent-pool.ts';
export { unlimitedPool } from './pool/unlimited-pool.ts';
export type {
  AgentToolCall,
  AnswerToolCall,
  ToolEndpoint,
  ToolEndpointOptions,
  ToolEndpoints,
} from './client-tools/tool-endpoint.ts';
export { toolKinds } from './tool-kinds.ts';
