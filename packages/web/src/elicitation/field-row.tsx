import { CircleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import { Honest } from '../parts/honest.tsx';
import { useText } from '../text/language.tsx';
import { faultText } from './fault-text.ts';
import { FieldControl, type FieldProps } from './field-control.tsx';

/** A field with label, description and error. */
export function FieldRow(props: FieldProps): ReactElement {
  const { id, field, fault } = props;
  const { label, description, isRequired, input } = field;
  const { inbox } = useText();
  const isGroup = input.kind === 'choices' || (input.kind === 'choice' && input.choices.length <= 8);
  const described = [
    ...(description === undefined ? [] : [`${id}-description`]),
    ...(fault === undefined ? [] : [`${id}-fault`]),
  ].join(' ');
  const name = (
    <>
      <Honest text={label} />
      {!isRequired && <span className="soft small"> {inbox.optional}</span>}
    </>
  );
  const notes = (
    <>
      {description !== undefined && (
        <p className="soft small" id={`${id}-description`}>
          <Honest text={description} />
        </p>
      )}
      {input.kind === 'json' && (
        <>
          <p className="question-warning small">{inbox.unknownField}</p>
          <pre className="call-input">
            <Honest text={input.schema} />
          </pre>
        </>
      )}
    </>
  );
  const shownFault = fault !== undefined && (
    <p className="form-fault small" id={`${id}-fault`} role="alert">
      <CircleAlert size={14} aria-hidden /> {faultText(fault, inbox)}
    </p>
  );
  const control = <FieldControl {...props} isGroup={isGroup} described={described} />;
  if (isGroup) {
    return (
      <fieldset className="form-row" data-field={id} aria-describedby={described}>
        <legend>{name}</legend>
        {notes}
        {control}
        {shownFault}
      </fieldset>
    );
  }
  if (input.kind === 'flag') {
    return (
      <div className="form-row" data-field={id}>
        <label className="form-choice" htmlFor={id}>
          {control}
          <Honest text={label} />
        </label>
        {notes}
        {shownFault}
      </div>
    );
  }
  return (
    <div className="form-row" data-field={id}>
      <label htmlFor={id}>{name}</label>
      {notes}
      {control}
      {shownFault}
    </div>
  );
}
