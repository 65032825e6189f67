import type { DeskSession } from '@parley/host/desk';
import { Frame } from '../src/shell/frame.tsx';
import { fakeSession } from './fake-session.ts';
import type { Scenes } from './scene.ts';

const sessions: readonly DeskSession[] = [
  fakeSession({ key: 'a', title: 'Rename the store', state: 'running' }),
  fakeSession({ key: 'b', title: 'Why does the build fail on Windows?', state: 'waiting', questions: 2 }),
  fakeSession({ key: 'c', agent: 'gemini', state: 'kept' }),
];

export const scenes: Scenes = {
  frame: {
    desk: { state: { sessions: new Map(sessions.map((session) => [session.key, session])) } },
    show: () => <Frame>A page</Frame>,
  },
};
