import type { PermissionOption } from '@parley/acp';
import type { ReactElement } from 'react';
import { Honest } from '../parts/honest.tsx';
import { useText } from '../text/language.tsx';
import { ownText } from '../text/own-text.ts';
import { optionText } from './option-text.ts';

/** An option labelled by its effect, with the agent's own name if that says something else. */
export function OptionLabel({ option }: { readonly option: PermissionOption }): ReactElement {
  const { inbox, own } = useText();
  const { label, name } = optionText({ ...option, name: ownText(option.name, own) }, inbox);
  return (
    <span>
      <Honest text={label} />
      {name !== undefined && (
        <span className="permission-name">
          <Honest text={name} />
        </span>
      )}
    </span>
  );
}
