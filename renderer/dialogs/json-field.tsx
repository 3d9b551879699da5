import { lazy, Suspense } from 'react';
import { Field } from '../design/field.tsx';
import { schemaAt, shape, type Schema } from './schema-help.ts';

// The editor is heavy and most visits need none.
const JsonEditor = lazy(() => import('./json-editor.tsx').then(({ JsonEditor }) => ({ default: JsonEditor })));

interface JsonFieldProps {
  readonly label: string;
  readonly value: string;
  readonly schema: Schema | null;
  readonly problems: readonly string[];
  readonly onChange: (text: string) => void;
}

/** JSON to be written, with what its schema asks for. */
export function JsonField({ label, value, schema, problems, onChange }: JsonFieldProps) {
  return (
    <Field label={label} hint={schema === null ? undefined : <SchemaWords schema={schema} />}>
      {({ id }) => (
        <>
          <Suspense
            fallback={<div className="h-28 rounded border border-line bg-page p-2 text-quiet">Loading the editor…</div>}
          >
            <JsonEditor id={id} label={label} value={value} schema={schema} onChange={onChange} />
          </Suspense>
          {problems.length > 0 && (
            <ul role="alert" className="list-inside list-disc text-[12px] text-failed">
              {problems.map((problem) => (
                <li key={problem}>{problem}</li>
              ))}
            </ul>
          )}
        </>
      )}
    </Field>
  );
}

/** The fields that a schema knows, in one line each. */
function SchemaWords({ schema }: { readonly schema: Schema }) {
  const known = schemaAt(schema, [])?.['properties'];
  if (typeof known !== 'object' || known === null) return <span>{shape(schema)}</span>;
  const required = schema['required'];
  return (
    <ul>
      {Object.keys(known).map((key) => {
        const found = schemaAt(schema, [key]) ?? {};
        const isRequired = Array.isArray(required) && required.includes(key);
        return (
          <li key={key}>
            <code className="font-mono text-ink">{key}</code>
            {isRequired ? '' : '?'}: {shape(found)}
            {typeof found['description'] === 'string' && ` — ${found['description']}`}
          </li>
        );
      })}
    </ul>
  );
}

/** What is wrong with a text that is to be JSON; null when it is. */
export function jsonProblem(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
