import { offeredAnswer, type OperationDetail } from '../../runtime/contract/index.ts';
import { Button } from '../design/button.tsx';
import { clockTime } from '../design/words.ts';
import { JsonText } from '../run/json-text.tsx';

interface LateAnswerProps {
  readonly detail: OperationDetail;
  /** Given the answer as JSON text. */
  readonly onAccept: (text: string) => void;
}

/** The answer that came when the process was gone already. Nothing but the person's decision makes it the result. */
export function LateAnswer({ detail, onAccept }: LateAnswerProps) {
  const late = offeredAnswer(detail);
  if (late === null) return null;
  return (
    <section aria-label="late answer" className="rounded border border-uncertain/50 bg-uncertain/10 p-2.5">
      <div className="mb-1.5 flex items-baseline gap-3">
        <p className="flex-1">
          <b className="font-medium">{late.source}</b> answered at {clockTime(late.at)}, when the process was gone. The
          relay has not got this answer.
        </p>
        <Button onClick={() => onAccept(JSON.stringify(late.value, null, 2))}>Accept this answer</Button>
      </div>
      <JsonText value={JSON.stringify(late.value)} label="the late answer" />
    </section>
  );
}
