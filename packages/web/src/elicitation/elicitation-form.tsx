import type { ElicitationContentValue, ElicitationSchema } from '@parley/acp';
import { useId, useMemo, useRef, useState, type ReactElement } from 'react';
import { Honest } from '../parts/honest.tsx';
import { Answers } from '../question/answers.tsx';
import { useText } from '../text/language.tsx';
import { faultText } from './fault-text.ts';
import { FieldRow } from './field-row.tsx';
import { readForm, type FieldFault } from './form-answer.ts';
import { toFields, toInitialValues } from './form-field.ts';
import { LeaveButtons } from './leave-buttons.tsx';
import './form.css';

/** A form that an agent wants to be filled in. */
export interface ElicitationFormProps {
  /** The text of the question. */
  readonly message: string;
  readonly schema: ElicitationSchema;
  readonly isBusy: boolean;
  readonly onSubmit: (content: Readonly<Record<string, ElicitationContentValue>>) => void;
  readonly onLeave: (action: 'decline' | 'cancel') => void;
}

const noFaults: ReadonlyMap<string, FieldFault> = new Map();

/** The fields of a schema. Errors are listed above the form, and shown at each field. */
export function ElicitationForm({
  message,
  schema,
  isBusy,
  onSubmit,
  onLeave,
}: ElicitationFormProps): ReactElement {
  const { inbox } = useText();
  const fields = useMemo(() => toFields(schema, message), [schema, message]);
  const [values, setValues] = useState(() => toInitialValues(schema));
  const [faults, setFaults] = useState(noFaults);
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const idOf = (name: string): string => `${id}-${fields.findIndex((field) => field.name === name)}`;
  const submit = (): void => {
    if (isBusy) return;
    const answer = readForm(fields, values);
    if (answer.kind === 'content') {
      setFaults(noFaults);
      onSubmit(answer.content);
      return;
    }
    setFaults(answer.faults);
    const [first] = answer.faults.keys();
    const row = first === undefined ? null : form.current?.querySelector(`[data-field="${idOf(first)}"]`);
    row?.querySelector<HTMLElement>('input, select, textarea')?.focus();
  };
  return (
    // It takes the keys of its fields.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      ref={form}
      className="form"
      noValidate
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
      }}
    >
      {schema.title !== undefined && (
        <h3>
          <Honest text={schema.title} />
        </h3>
      )}
      {schema.description !== undefined && (
        <p className="soft small">
          <Honest text={schema.description} />
        </p>
      )}
      {faults.size > 1 && (
        <div className="question-error" role="alert">
          <div>
            {inbox.faultCount(faults.size)}
            <ul>
              {fields.map(({ name, label }) => {
                const fault = faults.get(name);
                return (
                  fault !== undefined && (
                    <li key={name}>
                      {label}: {faultText(fault, inbox)}
                    </li>
                  )
                );
              })}
            </ul>
          </div>
        </div>
      )}
      {fields.map((field) => (
        <FieldRow
          key={field.name}
          id={idOf(field.name)}
          field={field}
          value={values[field.name] ?? ''}
          fault={faults.get(field.name)}
          onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      <Answers>
        <button type="submit" className="button button-primary permission-action" aria-disabled={isBusy}>
          {inbox.submit}
        </button>
        <LeaveButtons isBusy={isBusy} onLeave={onLeave} />
      </Answers>
    </form>
  );
}
