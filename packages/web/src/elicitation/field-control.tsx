import type { ReactElement } from 'react';
import { Honest } from '../parts/honest.tsx';
import { useText } from '../text/language.tsx';
import type { FieldFault } from './form-answer.ts';
import type { FieldChoice, FieldInput, FieldValue, FormField } from './form-field.ts';

/** A field, and what is in it. */
export interface FieldProps {
  readonly id: string;
  readonly field: FormField;
  readonly value: FieldValue;
  readonly fault: FieldFault | undefined;
  readonly onChange: (value: FieldValue) => void;
}

interface FieldControlProps extends FieldProps {
  /** Whether all choices are shown with checkboxes. */
  readonly isGroup: boolean;
  /** The ids of what describes it. */
  readonly described: string;
}

/** What a field is filled in with. */
export function FieldControl(props: FieldControlProps): ReactElement {
  const { id, field, value, fault, onChange, isGroup, described } = props;
  const { input, isRequired, isSecret } = field;
  const { inbox } = useText();
  const common = {
    id,
    'aria-describedby': described === '' ? undefined : described,
    'aria-invalid': fault !== undefined,
    required: isRequired,
  };
  const text = typeof value === 'string' ? value : '';
  switch (input.kind) {
    case 'text':
      return input.isLong && !isSecret ? (
        <textarea
          {...common}
          className="field"
          rows={4}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      ) : (
        <input
          {...common}
          className="field"
          type={isSecret ? 'password' : typeOf(input)}
          {...(input.format === 'date-time' && { step: 1 })}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case 'number':
      return (
        <input
          {...common}
          className="field"
          inputMode={input.isWhole && (input.minimum ?? -1) >= 0 ? 'numeric' : 'decimal'}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      );
    case 'flag':
      return (
        <input
          {...common}
          required={false}
          type="checkbox"
          checked={value === true}
          onChange={(event) => onChange(event.target.checked)}
        />
      );
    case 'choice':
      return isGroup ? (
        <Choices {...props} choices={input.choices} isMultiple={false} />
      ) : (
        <select {...common} className="field" value={text} onChange={(event) => onChange(event.target.value)}>
          <option value="">{inbox.choose}</option>
          {input.choices.map((choice) => (
            <option key={choice.value} value={choice.value}>
              {choice.label}
            </option>
          ))}
        </select>
      );
    case 'choices':
      return <Choices {...props} choices={input.choices} isMultiple />;
    case 'json':
      return (
        <textarea
          {...common}
          className="field form-json"
          rows={3}
          spellCheck={false}
          value={text}
          onChange={(event) => onChange(event.target.value)}
        />
      );
  }
}

interface ChoicesProps extends FieldControlProps {
  readonly choices: readonly FieldChoice[];
  readonly isMultiple: boolean;
}

function Choices({ id, field, value, fault, onChange, choices, isMultiple }: ChoicesProps): ReactElement {
  const { inbox } = useText();
  const chosen = toList(value);
  const choose = (choice: string): void => {
    if (!isMultiple) onChange(choice);
    else if (chosen.includes(choice)) onChange(chosen.filter((other) => other !== choice));
    else onChange([...chosen, choice]);
  };
  return (
    <div className="form-choices">
      {choices.map((choice) => (
        <label key={choice.value} className="form-choice">
          <input
            type={isMultiple ? 'checkbox' : 'radio'}
            name={id}
            value={choice.value}
            checked={chosen.includes(choice.value)}
            aria-invalid={fault !== undefined}
            onChange={() => choose(choice.value)}
          />
          <span>
            <Honest text={choice.label} />
            {choice.description !== undefined && (
              <span className="soft small form-choice-description">
                <Honest text={choice.description} />
              </span>
            )}
          </span>
        </label>
      ))}
      {!isMultiple && !field.isRequired && value !== '' && (
        <button type="button" className="button button-plain small" onClick={() => onChange('')}>
          {inbox.clearChoice}
        </button>
      )}
    </div>
  );
}

function toList(value: FieldProps['value']): readonly string[] {
  if (typeof value === 'boolean') return [];
  return typeof value === 'string' ? [value] : value;
}

function typeOf({ format }: Extract<FieldInput, { readonly kind: 'text' }>): string {
  if (format === undefined) return 'text';
  switch (format) {
    case 'email':
      return 'email';
    case 'uri':
      return 'url';
    case 'date':
      return 'date';
    case 'date-time':
      return 'datetime-local';
  }
}
