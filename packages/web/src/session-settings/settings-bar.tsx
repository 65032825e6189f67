import { ChevronDown, SlidersHorizontal, X } from 'lucide-react';
import { useCallback, type ReactElement } from 'react';
import { Popover } from '../parts/popover.tsx';
import { useText } from '../text/language.tsx';
import { ChoiceList } from './choice-list.tsx';
import {
  asksNothing,
  byCategory,
  settingName,
  valueName,
  type ChoiceSetting,
  type Setting,
  type SwitchSetting,
} from './setting.ts';
import { useChosen } from './use-chosen.ts';
import './settings-bar.css';

/** What can be set, and how. */
export interface SettingsBarProps {
  readonly settings: readonly Setting[];
  /** Rejects when it was not changed. */
  readonly onChange: (setting: Setting, value: string | boolean) => Promise<void>;
  /** Why settings cannot be changed now, or the consequence of a change. */
  readonly note?: string | undefined;
  readonly disabled?: boolean;
}

/** Settings that are displayed side by side; the rest is in a menu. */
const mostBeside = 3;

/** The settings of a session with their values: the mode, the model, and all others that its agent offers. */
export function SettingsBar(props: SettingsBarProps): ReactElement | null {
  const { note, disabled = false, onChange } = props;
  const { prompt } = useText();
  const nameIn = useCallback((setting: Setting) => settingName(setting, prompt), [prompt]);
  const { settings, choose, failure, dismiss } = useChosen(props.settings, onChange, nameIn);
  if (settings.length === 0) return null;
  const beside = settings.length <= mostBeside ? settings : settings.filter(isImportant).slice(0, mostBeside);
  const behind = settings.filter((setting) => !beside.includes(setting));
  return (
    <fieldset className="session-settings" aria-label={prompt.settings} title={note} aria-description={note}>
      {beside.map((setting) => (
        <Control
          key={`${setting.by} ${setting.id}`}
          setting={setting}
          disabled={disabled}
          onChoose={choose}
        />
      ))}
      {behind.length > 0 && (
        <Popover
          label={prompt.options}
          className="button button-plain setting"
          disabled={disabled}
          button={
            <>
              <SlidersHorizontal size={14} aria-hidden />
              <span className="setting-name">{prompt.options}</span>
            </>
          }
        >
          <div className="session-settings-panel">
            {byCategory(behind).map(({ category, settings: each }) => (
              <section key={category} aria-label={prompt.categories[category]}>
                <h3 className="soft small">{prompt.categories[category]}</h3>
                {each.map((setting) => (
                  <div key={setting.id} className="session-settings-row">
                    <div>
                      <p>{settingName(setting, prompt)}</p>
                      {setting.description !== undefined && (
                        <p className="soft small">{setting.description}</p>
                      )}
                    </div>
                    <Control setting={setting} disabled={disabled} onChoose={choose} isBare />
                  </div>
                ))}
              </section>
            ))}
          </div>
        </Popover>
      )}
      <div role="alert" className="session-settings-alert">
        {failure !== undefined && (
          <div className="session-settings-failure small">
            <p>{failure}</p>
            <button type="button" className="button button-plain button-icon" onClick={dismiss}>
              <X size={14} aria-hidden />
              <span className="visually-hidden">{prompt.dismiss}</span>
            </button>
          </div>
        )}
      </div>
    </fieldset>
  );
}

interface ControlProps {
  readonly setting: Setting;
  readonly disabled: boolean;
  readonly onChoose: (setting: Setting, value: string | boolean) => void;
  /** Whether its name is already shown next to it. */
  readonly isBare?: boolean;
}

function Control({ setting, disabled, onChoose, isBare = false }: ControlProps): ReactElement {
  const { prompt } = useText();
  const name = settingName(setting, prompt);
  switch (setting.kind) {
    case 'choice':
      return <ChoiceControl {...{ setting, disabled, onChoose, isBare, name }} />;
    case 'switch':
      return <SwitchControl {...{ setting, disabled, onChoose, isBare, name }} />;
    case 'unknown':
      return (
        <span className="setting soft small" title={prompt.unknownSetting}>
          {isBare ? prompt.unknownSetting : `${name}: ${prompt.unknownSetting}`}
        </span>
      );
  }
}

interface NamedProps<Kind> extends Required<Omit<ControlProps, 'setting'>> {
  readonly setting: Kind;
  readonly name: string;
}

function ChoiceControl(props: NamedProps<ChoiceSetting>): ReactElement {
  const { setting, name, disabled, onChoose, isBare } = props;
  const { prompt } = useText();
  const known = valueName(setting);
  const value = known ?? (isBare ? prompt.choose : name);
  const isTrusting = asksNothing(setting);
  const spoken = isTrusting ? `${value} ${prompt.asksNothing}` : value;
  return (
    <Popover
      label={known === undefined ? name : `${name} ${spoken}`}
      opens="listbox"
      disabled={disabled}
      className={`button ${isBare ? '' : 'button-plain '}setting${isTrusting ? ' setting-trusting' : ''}`}
      button={
        <>
          {!isBare && known !== undefined && <span className="setting-name">{name}</span>}{' '}
          <span className="setting-value">{value}</span>{' '}
          {isTrusting && <span className="setting-warning small">{prompt.asksNothing}</span>}
          <ChevronDown size={14} aria-hidden />
        </>
      }
    >
      <ChoiceList
        label={name}
        setting={setting}
        onChoose={(chosen) => {
          if (chosen !== setting.value) onChoose(setting, chosen);
        }}
      />
    </Popover>
  );
}

function SwitchControl(props: NamedProps<SwitchSetting>): ReactElement {
  const { setting, name, disabled, onChoose, isBare } = props;
  const { prompt } = useText();
  return (
    <button
      type="button"
      className={`button ${isBare ? '' : 'button-plain '}setting`}
      role="switch"
      aria-checked={setting.value}
      aria-label={name}
      title={setting.description}
      disabled={disabled}
      onClick={() => {
        onChoose(setting, !setting.value);
      }}
    >
      {!isBare && <span className="setting-name">{name}</span>}
      <span className="setting-switch" aria-hidden />
      <span className="setting-value">{setting.value ? prompt.on : prompt.off}</span>
    </button>
  );
}

function isImportant({ category }: Setting): boolean {
  return category === 'mode' || category === 'model' || category === 'thought_level';
}
