import { useId, type ComponentProps, type ReactNode } from 'react';

const box =
  'rounded border border-line bg-page px-2 text-ink placeholder:text-quiet aria-invalid:border-failed disabled:opacity-50';

export function TextInput({ className = '', ...rest }: ComponentProps<'input'>) {
  return <input type="text" spellCheck={false} autoComplete="off" className={`h-7.5 ${box} ${className}`} {...rest} />;
}

export function Select({ className = '', ...rest }: ComponentProps<'select'>) {
  return <select className={`h-7.5 ${box} ${className}`} {...rest} />;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with what stands in it. */
  readonly problem?: string | null;
  /** Gets the ids to put on the control. */
  readonly children: (ids: { readonly id: string; readonly 'aria-describedby': string }) => ReactNode;
}

/** A control with its label, a word of help and what is wrong with it. */
export function Field({ label, hint, problem = null, children }: FieldProps) {
  const id = useId();
  const described = `${id}-more`;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({ id, 'aria-describedby': described })}
      <div id={described} className="text-[12px]">
        {hint !== undefined && <div className="text-quiet">{hint}</div>}
        {problem !== null && (
          <p role="alert" className="text-failed">
            {problem}
          </p>
        )}
      </div>
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value | null;
  readonly options: readonly { readonly value: Value; readonly title: string; readonly hint: string }[];
  readonly onChange: (value: Value) => void;
}

/** One of a few, each with what it means. */
export function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1 font-medium">{label}</legend>
      <div className="space-y-1">
        {options.map((option) => (
          <label
            key={option.value}
            className={`flex cursor-pointer gap-2 rounded border px-2.5 py-1.5 ${option.value === value ? 'border-accent bg-accent/8' : 'border-line hover:bg-raised'}`}
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
              className="mt-0.5 accent-accent"
            />
            <span>
              <span className="font-medium">{option.title}</span>
              <span className="block text-[12px] text-quiet">{option.hint}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
