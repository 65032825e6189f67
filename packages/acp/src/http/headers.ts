/** Which connection a request belongs to. Source: ACP, remote transports. */
export const connectionHeader = 'Acp-Connection-Id';

/** Which session a request belongs to. Source: ACP, remote transports. */
export const sessionHeader = 'Acp-Session-Id';

/** The media type of a message. */
export const jsonType = 'application/json';

/** The media type of a stream of messages. */
export const eventStreamType = 'text/event-stream';
