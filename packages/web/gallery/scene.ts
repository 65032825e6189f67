import type { ReactElement } from 'react';
import type { FakeHubOptions } from './fake-hub.ts';

/** A part of the interface with the hub that it needs, for the gallery. */
export interface Scene {
  readonly hub?: FakeHubOptions;
  readonly show: () => ReactElement;
}

/** What a `NAME.gallery.tsx` exports as `scenes`; each is shown at `?scene=NAME/KEY`. */
export type Scenes = Readonly<Record<string, Scene>>;
