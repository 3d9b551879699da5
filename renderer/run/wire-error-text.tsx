import type { WireError } from '../../runtime/contract/index.ts';

/** An error as the relay threw it: name, message, what it carried, its stack and its cause. */
export function WireErrorText({ error }: { readonly error: WireError }) {
  const { name, message, code, fields, stack, cause } = error;
  const carried = Object.entries(fields);
  return (
    <div className="[overflow-wrap:anywhere]">
      <p>
        <span className="font-mono text-[12px] text-failed">{name}</span>
        {code !== null && <span className="ml-1.5 font-mono text-[12px] text-quiet">{code}</span>} {message}
      </p>
      {carried.length > 0 && (
        <p className="font-mono text-[12px] text-quiet">
          {carried.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(', ')}
        </p>
      )}
      {stack !== null && (
        <details className="mt-0.5">
          <summary className="cursor-default text-[12px] text-quiet">Stack</summary>
          <pre
            tabIndex={0}
            aria-label="stack"
            className="max-h-48 overflow-auto font-mono text-[11.5px] whitespace-pre-wrap"
          >
            {stack}
          </pre>
        </details>
      )}
      {cause !== null && (
        <div className="mt-1 border-l-2 border-line pl-2">
          <p className="text-[12px] text-quiet">caused by</p>
          <WireErrorText error={cause} />
        </div>
      )}
    </div>
  );
}
