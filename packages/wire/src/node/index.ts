export { processTransport, streamTransport, type StreamTransportOptions } from './stream-transport.ts';
