export type { Fetch } from './client/exchange.ts';
export { httpTransport, type HttpTransportOptions } from './client/http-transport.ts';
export {
  createRemoteAcp,
  type RemoteAcp,
  type RemoteAcpOptions,
  type RemoteClient,
  type RemoteUpgrade,
} from './server/remote-acp.ts';
export { defaultRemoteLimits, type RemoteLimits } from './server/remote-limits.ts';
