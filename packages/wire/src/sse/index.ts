export { EventReader, type EventReaderOptions, type ServerSentEvent } from './event-reader.ts';
export { formatComment, formatEvent, type OutgoingEvent } from './format-event.ts';
