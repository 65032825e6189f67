import { Conversation } from '../src/conversation/conversation.tsx';
import { emptyFeed } from '../src/desk/session-feed.ts';
import { viewOf } from './fake-desk.ts';
import type { Scenes } from './scene.ts';

const view = viewOf([
  { type: 'journal-start', key: 'a', agent: 'parley', cwd: '/home/ada/engine', program: 'gallery' },
  {
    type: 'update',
    update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Hello.' } },
  },
]);

export const scenes: Scenes = {
  hello: { show: () => <Conversation sessionKey="a" feed={{ ...emptyFeed, view, isCaughtUp: true }} /> },
};
