import { useSyncExternalStore, type ReactElement } from 'react';
import { languages, useLanguage, useText } from '../text/language.tsx';
import { chooseTheme, listenToTheme, readTheme } from '../theme/theme.ts';

/** The theme and language of the interface. */
export function Appearance(): ReactElement {
  const { shell } = useText();
  const { language, choose } = useLanguage();
  const theme = useSyncExternalStore(listenToTheme, readTheme);
  return (
    <div className="settings-choices">
      <label>
        {shell.theme}
        <select
          className="field"
          value={theme}
          onChange={({ target: { value } }) => {
            chooseTheme(value === 'light' || value === 'dark' ? value : 'system');
          }}
        >
          <option value="system">{shell.system}</option>
          <option value="light">{shell.light}</option>
          <option value="dark">{shell.dark}</option>
        </select>
      </label>
      <label>
        {shell.language}
        <select
          className="field"
          value={language}
          onChange={({ target: { value } }) => {
            const chosen = languages.find(({ id }) => id === value);
            if (chosen !== undefined) choose(chosen.id);
          }}
        >
          {languages.map(({ id, name }) => (
            <option key={id} value={id} lang={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
