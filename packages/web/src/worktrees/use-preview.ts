import { useEffect, useState } from 'react';

/** The effect of an action, or why it is unknown. */
export type Preview<Result> = { readonly result: Result } | { readonly error: unknown };

/** Loads the preview of an action once; `set` replaces it with the result of the action. */
export function usePreview<Result>(
  ask: () => Promise<Result>,
): readonly [preview: Preview<Result> | undefined, set: (preview: Preview<Result>) => void] {
  const [preview, setPreview] = useState<Preview<Result>>();
  useEffect(() => {
    let isWanted = true;
    ask().then(
      (result) => isWanted && setPreview({ result }),
      (error: unknown) => isWanted && setPreview({ error }),
    );
    return () => {
      isWanted = false;
    };
    // What is asked does not change while the dialog is open.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);
  return [preview, setPreview];
}
