import { Diff } from '../src/conversation/diff/diff.tsx';
import type { Scenes } from './scene.ts';

const before = Array.from(
  { length: 60 },
  (_, line) => `  export const value${line} = compute(${line}, 'a', { deep: true });`,
);
const after = before
  .with(12, "  export const value12 = compute(12, 'b', { deep: true });")
  .with(
    40,
    '  // This one is not needed any more, and what is said of it here is long enough to be broken: it goes on and on and on.',
  )
  .toSpliced(41, 2, '\treturn value;');
const path = '/home/ada/engine/src/store/values.ts';

export const scenes: Scenes = {
  changed: {
    show: () => (
      <Diff path={path} cwd="/home/ada/engine" oldText={before.join('\n')} newText={after.join('\n')} />
    ),
  },
  new: { show: () => <Diff path={path} newText={'one\ntwo\n'} /> },
  deleted: { show: () => <Diff path={path} oldText={'one\ntwo\n'} newText="" isDeleted /> },
  huge: {
    show: () => <Diff path={path} oldText={'old line\n'.repeat(9000)} newText={'new line\n'.repeat(8000)} />,
  },
};
