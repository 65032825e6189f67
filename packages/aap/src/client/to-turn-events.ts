import type { ReceivedAgentMessage, ReceivedTurnEvent } from '../received.ts';

/** The events of a message, as a stream in the mode `message` contains them. */
export function toTurnEvents(message: ReceivedAgentMessage): readonly ReceivedTurnEvent[] {
  switch (message.role) {
    case 'unknown':
      return [];
    case 'tool': {
      const { role: _, ...result } = message;
      return [{ event: 'tool_result', ...result }];
    }
    case 'assistant':
      if (typeof message.content === 'string') return [{ event: 'text', text: message.content }];
      return message.content.flatMap((block): readonly ReceivedTurnEvent[] => {
        switch (block.type) {
          case 'text':
            return [{ event: 'text', text: block.text }];
          case 'thinking':
            return [{ event: 'thinking', thinking: block.thinking }];
          case 'tool_use': {
            const { type: _, ...call } = block;
            return [{ event: 'tool_call', ...call }];
          }
          case 'image':
          case 'unknown':
            return [];
        }
      });
  }
}
