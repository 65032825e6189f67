import type { Transport } from './transport.ts';

/** A transport whose incoming messages are changed before they are received; what is sent stays as it is. */
export function mapReceived(transport: Transport, change: (message: unknown) => unknown): Transport {
  return {
    start: (receiver) => {
      transport.start({
        receive: (batch, bytes) => receiver.receive(batch.map(change), bytes),
        close: (reason) => {
          receiver.close(reason);
        },
      });
    },
    send: (batch) => transport.send(batch),
    close: (reason) => transport.close(reason),
  };
}
