import { type ComponentType, type ReactElement, type ReactNode, useSyncExternalStore } from 'react';
import { useHasTexts } from '../text/language.tsx';

/** A component whose code is loaded when it is first rendered. */
export interface Later<Props extends object> {
  (props: Props & WaitingProps): ReactElement;
  /** Loads it ahead of that. A failure is reported by the component. */
  load(): Promise<void>;
}

interface WaitingProps {
  /** What is shown until it is loaded. @default nothing */
  readonly waiting?: ReactNode;
}

/**
 * Returns a component that is loaded when it is first rendered, and then has the texts of pages. React's `lazy` shows what was loaded 300 ms after
 * the last thing that waited, at the earliest; this shows it at once.
 *
 * @param load Imports the file that defines it.
 */
export function later<Props extends object>(load: () => Promise<ComponentType<Props>>): Later<Props> {
  const part = new Part(load);
  function LaterComponent(props: Props & WaitingProps): ReactElement {
    const { Loaded, failure } = useSyncExternalStore(part.subscribe, part.look, part.look);
    const hasTexts = useHasTexts();
    if (failure !== undefined) throw failure.error;
    if (Loaded === undefined || !hasTexts) return <>{props.waiting}</>;
    return <Loaded {...props} />;
  }
  LaterComponent.load = (): Promise<void> => part.load();
  return LaterComponent;
}

interface PartState<Props> {
  readonly Loaded?: ComponentType<Props>;
  readonly failure?: { readonly error: unknown };
}

class Part<Props> {
  readonly #import: () => Promise<ComponentType<Props>>;
  readonly #listeners = new Set<() => void>();
  #state: PartState<Props> = {};
  #loading: Promise<void> | undefined;

  constructor(load: () => Promise<ComponentType<Props>>) {
    this.#import = load;
  }

  load(): Promise<void> {
    this.#loading ??= this.#load();
    return this.#loading;
  }

  readonly look = (): PartState<Props> => {
    void this.load();
    return this.#state;
  };

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  async #load(): Promise<void> {
    try {
      this.#state = { Loaded: await this.#import() };
    } catch (error) {
      this.#state = { failure: { error } };
    }
    for (const listener of this.#listeners) listener();
  }
}
