import type { ReactElement } from 'react';
import type { FakeHubOptions } from './fake-hub.ts';

/** Something to be looked at: a part of the interface, with a hub that holds what it needs. */
export interface Scene {
  readonly hub?: FakeHubOptions;
  readonly show: () => ReactElement;
}

/** What a `NAME.gallery.tsx` exports as `scenes`; each is shown at `?scene=NAME/KEY`. */
export type Scenes = Readonly<Record<string, Scene>>;
