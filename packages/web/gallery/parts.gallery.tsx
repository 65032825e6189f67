import { CopyButton } from '../src/parts/copy-button.tsx';
import { RelativeTime } from '../src/parts/relative-time.tsx';
import type { Scenes } from './scene.ts';

export const scenes: Scenes = {
  copy: {
    show: () => (
      <>
        <CopyButton text="npm test" label="Copy the command" />
        <CopyButton text="npm test" label="Copy the command" isLabelShown />
      </>
    ),
  },
  time: { show: () => <RelativeTime time={Date.now() - 200_000} /> },
};
