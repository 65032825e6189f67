export { acceptsType } from './accepts-type.ts';
export { atMost } from './at-most.ts';
export { systemClock, type Clock } from './clock.ts';
export type { ConnectionOptions, ObservedFrame } from './connection-options.ts';
export { connect } from './connect.ts';
export type { Connection } from './connection.ts';
export { Deadline, type DeadlineOptions, type Expiry } from './deadline.ts';
export type { Diagnostic, DiagnosticCode } from './diagnostic.ts';
export { FrameFault, type FrameFaultCode } from './frame-fault.ts';
export { Invalid } from './invalid.ts';
export { isJsonObject, valueAt, type JsonObject } from './json-object.ts';
export type { LaneKey } from './lanes.ts';
export { defaultLimits, type Limits } from './limits.ts';
export { memoryPair } from './memory.ts';
export { defaultMaxMessageBytes } from './message-size.ts';
export {
  isMessage,
  isRequestId,
  type ErrorMessage,
  type Message,
  type NotificationMessage,
  type RequestId,
  type RequestMessage,
  type ResultMessage,
  type RpcErrorObject,
} from './message.ts';
export { NdjsonReader, type NdjsonOptions } from './ndjson.ts';
export type { RequestOptions } from './pending.ts';
export type { ParamTexts } from './repeated-notification.ts';
export { RpcError, rpcCodes } from './rpc-error.ts';
export type { RequestContext, RequestHandler } from './served-requests.ts';
export { atEndOfTick, type Schedule } from './schedule.ts';
export type { CloseReason, IncomingBatch, OutgoingFrame, Receiver, Transport } from './transport.ts';
export { untilAborted } from './until-aborted.ts';
export { WireError, type WireErrorCode, type WireErrorOptions } from './wire-error.ts';
export type { WebSocketEvent, WebSocketLike } from './websocket/web-socket-like.ts';
export { webSocketTransport, type WebSocketTransportOptions } from './websocket/web-socket-transport.ts';
