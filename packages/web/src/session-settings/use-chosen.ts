import { useCallback, useState } from 'react';
import { failureText } from '../shell/failure-text.ts';
import { useText } from '../text/language.tsx';
import type { Setting } from './setting.ts';

/** The settings as the user wants them, and how one is changed. */
export interface Chosen {
  readonly settings: readonly Setting[];
  readonly choose: (setting: Setting, value: string | boolean) => void;
  /** Why the last change was not made. */
  readonly failure: string | undefined;
  readonly dismiss: () => void;
}

/** The chosen value and the previous one: as soon as the agent reports a change, its value is shown. */
interface Choosing {
  readonly value: string | boolean;
  readonly over: string | boolean | undefined;
}

/** How long a selected value is displayed if the agent does not confirm it. */
const confirmMs = 2000;

/** Shows a chosen value at once; if setting it fails, restores the previous one and shows the reason. */
export function useChosen(
  settings: readonly Setting[],
  onChange: (setting: Setting, value: string | boolean) => Promise<void>,
  nameOf: (setting: Setting) => string,
): Chosen {
  const { prompt, shell } = useText();
  const [failure, setFailure] = useState<string>();
  const [chosen, setChosen] = useState<ReadonlyMap<string, Choosing>>(new Map());
  const choose = useCallback(
    (setting: Setting, value: string | boolean) => {
      const now = settings.find(({ id, by }) => id === setting.id && by === setting.by);
      const choosing: Choosing = { value, over: now === undefined ? undefined : valueOf(now) };
      const forget = (): void => {
        setChosen((before) => {
          if (before.get(setting.id) !== choosing) return before;
          const after = new Map(before);
          after.delete(setting.id);
          return after;
        });
      };
      setFailure(undefined);
      setChosen((before) => new Map(before).set(setting.id, choosing));
      onChange(setting, value).then(
        () => {
          // Where the agent never confirms, the choice is all that is known.
          if (choosing.over !== undefined) setTimeout(forget, confirmMs);
        },
        (error: unknown) => {
          forget();
          setFailure(prompt.settingFailed(nameOf(setting), failureText(error, shell)));
        },
      );
    },
    [settings, onChange, nameOf, prompt, shell],
  );
  const dismiss = useCallback(() => {
    setFailure(undefined);
  }, []);
  const shown = settings.map((setting) => withChosen(setting, chosen.get(setting.id)));
  return { settings: shown, choose, failure, dismiss };
}

function withChosen(setting: Setting, choosing: Choosing | undefined): Setting {
  if (choosing === undefined) return setting;
  const { value, over } = choosing;
  if (setting.kind === 'choice' && setting.value === over && typeof value === 'string') {
    return { ...setting, value };
  }
  if (setting.kind === 'switch' && setting.value === over && typeof value === 'boolean') {
    return { ...setting, value };
  }
  return setting;
}

function valueOf(setting: Setting): string | boolean | undefined {
  return setting.kind === 'unknown' ? undefined : setting.value;
}
