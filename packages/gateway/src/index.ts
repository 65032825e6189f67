export type {
  AgentToolCall,
  AnswerToolCall,
  ToolEndpoint,
  ToolEndpointOptions,
  ToolEndpoints,
} from './client-tools/tool-endpoint.ts';
export { toolKinds } from './tool-kinds.ts';
