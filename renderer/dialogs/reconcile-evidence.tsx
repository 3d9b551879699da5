import type { OperationDetail, OperationId } from '../../runtime/contract/index.ts';
import { useAnswer } from '../design/answer.ts';
import { Facts } from '../design/page-section.tsx';
import { ErrorView, Loading } from '../design/states.tsx';
import { clockTime } from '../design/words.ts';
import { readValue, recordedArguments } from '../history/read-value.ts';

interface ReconcileEvidenceProps {
  readonly detail: OperationDetail;
  readonly run: string;
}

/** What was about to happen, and what the ledger and the services know of it. */
export function ReconcileEvidence({ detail: { operation, receipts, tries }, run }: ReconcileEvidenceProps) {
  return (
    <>
      <section aria-label="what was about to happen">
        <h3 className="mb-1 font-medium">What was about to happen</h3>
        <Facts
          rows={[
            ['operation', `${operation.id} · ${operation.name} (${operation.kind})`],
            ['begun', `${clockTime(operation.intendedAt)} in attempt ${operation.attempt}`],
            ['bodies begun', `${operation.bodies} over all attempts`],
            ...(operation.source === null
              ? []
              : [['source', <code className="font-mono">{operation.source}</code>] as const]),
          ]}
        />
        {operation.arguments !== null && (
          <pre
            className="mt-2 max-h-40 overflow-auto rounded border border-line bg-page p-2 font-mono text-[12px]"
            tabIndex={0}
          >
            {readValue(recordedArguments(operation.kind, operation.arguments)).text}
          </pre>
        )}
      </section>
      <section aria-label="evidence">
        <h3 className="mb-1 font-medium">Evidence</h3>
        <ServiceEvidence run={run} operation={operation.id} />
        {receipts.length > 0 && (
          <ul className="mt-1 space-y-0.5">
            {receipts.map(({ id, kind, name, ok, at, attempt }) => (
              <li key={id}>
                <span className={ok ? 'text-done' : 'text-failed'}>{ok ? '✓' : '✕'}</span> receipt {kind} {name}
                <span className="text-quiet">
                  {' '}
                  {clockTime(at)}
                  {attempt === null ? '' : `, attempt ${attempt}`}
                </span>
              </li>
            ))}
          </ul>
        )}
        {tries.map(({ number, at, attempt, error }) => (
          <p key={`${attempt} ${number}`} className="mt-0.5">
            <span className="text-failed">✕</span> try {number} failed: {error.message}
            <span className="text-quiet"> {clockTime(at)}</span>
          </p>
        ))}
      </section>
    </>
  );
}

/** What services wrote down of requests that carried the operation's key. */
function ServiceEvidence({ run, operation }: { readonly run: string; readonly operation: OperationId }) {
  const { value, error, again } = useAnswer('run/service-records', { run });
  if (error !== null) return <ErrorView error={error} retry={again} />;
  if (value === null) return <Loading what="what the services saw" />;
  const own = value.filter((record) => record.operation === operation || record.operation?.startsWith(`${operation}.`));
  if (own.length === 0) {
    return (
      <p>
        <span className="text-quiet" aria-hidden="true">
          ○
        </span>{' '}
        No service of the lab saw a request of this operation. A service that is not the lab’s own must be asked by you.
      </p>
    );
  }
  return (
    <ul className="space-y-0.5">
      {own.map(({ service, id, at, path, reference, outcome, effect }) => (
        <li key={`${service} ${id}`}>
          <span className={effect ? 'text-uncertain' : 'text-quiet'}>{effect ? '●' : '○'}</span> {service} answered{' '}
          <b className="font-medium">{outcome}</b> to <code className="font-mono">{path}</code>
          {effect ? ', and it left an effect' : ', without an effect'}
          <span className="text-quiet">
            {' '}
            {clockTime(at)}
            {reference === null ? '' : ` · ${reference}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
