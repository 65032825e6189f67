export { acceptsType } from './accepts-type.ts';
export { atMost } from './time/at-most.ts';
export { systemClock, type Clock } from './time/clock.ts';
export type { ConnectionOptions, ObservedFrame } from './connection/connection-options.ts';
export { connect } from './connection/connect.ts';
export type { Connection } from './connection/connection.ts';
export { Deadline, type DeadlineOptions, type Expiry } from './time/deadline.ts';
export type { Diagnostic, DiagnosticCode } from './connection/diagnostic.ts';
export { FrameFault, type FrameFaultCode } from './framing/frame-fault.ts';
export { Invalid } from './invalid.ts';
export { isDeeper } from './is-deeper.ts';
export { isJsonObject, valueAt, type JsonObject } from './json-object.ts';
export type { LaneKey } from './connection/lanes.ts';
export { defaultLimits, type Limits } from './connection/limits.ts';
export { memoryPair } from './memory.ts';
export { defaultMaxMessageBytes } from './framing/message-size.ts';
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
export { mapReceived } from './map-received.ts';
export { NdjsonReader, type NdjsonOptions } from './framing/ndjson.ts';
export type { RequestOptions } from './connection/pending.ts';
export { textsOf, type ParamTexts } from './framing/repeated-notification.ts';
export { RpcError, rpcCodes } from './rpc-error.ts';
export type { RequestContext, RequestHandler } from './connection/served-requests.ts';
export { atEndOfTick, type Schedule } from './time/schedule.ts';
export { shorten } from './shorten.ts';
export type { CloseReason, IncomingBatch, OutgoingFrame, Receiver, Transport } from './transport.ts';
export { untilAborted } from './time/until-aborted.ts';
export { WireError, type WireErrorCode, type WireErrorOptions } from './wire-error.ts';
export type { WebSocketEvent, WebSocketLike } from './websocket/web-socket-like.ts';
export { webSocketTransport, type WebSocketTransportOptions } from './websocket/web-socket-transport.ts';
