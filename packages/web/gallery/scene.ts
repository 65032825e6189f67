import type { ReactElement } from 'react';
import type { FakeDeskOptions } from './fake-desk.ts';

/** Something to be looked at: a part of the interface, with a desk that holds what it needs. */
export interface Scene {
  readonly desk?: FakeDeskOptions;
  readonly show: () => ReactElement;
}

/** What a `NAME.gallery.tsx` exports as `scenes`; each is shown at `?scene=NAME/KEY`. */
export type Scenes = Readonly<Record<string, Scene>>;
