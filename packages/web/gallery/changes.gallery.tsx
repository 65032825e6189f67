import type { ChangesDiff, DiffFile } from '@parley/host/hub';
import { ChangesPanel } from '../src/changes/changes-panel.tsx';
import { emptyFeed } from '../src/hub/session-feed.ts';
import type { FakeHubOptions } from './fake-hub.ts';
import { fakeSession } from './fake-session.ts';
import type { Scene, Scenes } from './scene.ts';

function file(path: string, known: Partial<DiffFile> = {}): DiffFile {
  return {
    path,
    status: 'modified',
    additions: 1,
    deletions: 1,
    binary: false,
    reported: true,
    hunks: [
      {
        id: `${path} 1`,
        header: '@@ -1,3 +1,3 @@',
        lines: [
          ' export const question = "?";',
          '-export const answer = 41;',
          '+export const answer = 42;',
          ' ',
        ],
      },
    ],
    ...known,
  };
}

const some: ChangesDiff = {
  files: [
    file('src/answer.ts'),
    file('src/renamed.ts', { status: 'renamed', oldPath: 'src/old.ts', hunks: [] }),
    file('notes.txt', { reported: false }),
    file('run.sh', {
      status: 'mode',
      oldMode: '100644',
      newMode: '100755',
      hunks: [],
      additions: 0,
      deletions: 0,
    }),
    file('src/reviewed.ts', {
      status: 'added',
      hunks: [{ id: 'r', header: '@@ -0,0 +1 @@', lines: ['+reviewed'], reviewed: true }],
    }),
    file('data.bin', { binary: true, hunks: [] }),
  ],
  omitted: [{ path: 'video.mp4', why: 'too-large' }],
};

const many: ChangesDiff = {
  files: Array.from({ length: 1000 }, (_, index) => file(`src/file-${String(index)}.ts`)),
  omitted: [],
};

function scene(diff: ChangesDiff | undefined, state: FakeHubOptions['state'] = {}): Scene {
  return {
    hub: { state, ...(diff !== undefined && { changes: { diffChanges: diff } }) },
    show: () => (
      <ChangesPanel
        sessionKey="a"
        session={fakeSession({ key: 'a' })}
        feed={emptyFeed}
        address={{ isOpen: true, turn: undefined, show: () => {}, close: () => {} }}
      />
    ),
  };
}

export const scenes: Scenes = {
  some: scene(some),
  many: scene(many),
  none: scene({ files: [], omitted: [] }),
  observer: scene(some, { isObserver: true, isAdmin: false }),
};
